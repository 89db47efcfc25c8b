"""Pages where matches are made, found and joined."""
