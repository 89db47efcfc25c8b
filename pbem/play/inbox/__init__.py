"""The inbox: judges submissions to matches and processes mail to the service."""
