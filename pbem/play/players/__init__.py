"""Players: their identity, their mail preferences, and whether mail reaches them."""
