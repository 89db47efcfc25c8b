"""Use cases of a match, each of which runs in one transaction."""
