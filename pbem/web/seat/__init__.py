"""Pages of a seat in a match, behind its link."""
