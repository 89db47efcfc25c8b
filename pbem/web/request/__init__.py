"""What runs around every request, and what a request holds."""
