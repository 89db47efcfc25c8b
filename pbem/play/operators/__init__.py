"""Operating: what those who run the service may do, each act with a reason and a row that nobody can change."""
