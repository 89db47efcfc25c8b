"""The inbox: judges what was sent to a match or to the service."""
