"""Players: who they are, what mail they want, and whether it reaches them."""
