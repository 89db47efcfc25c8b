"""Pages of a match that anybody may see."""
