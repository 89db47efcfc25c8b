"""The table: what people do at a match, each use case one transaction."""
