"""Lifecycle of a match: creation, invitations, start, agreements, forks, end and rematch."""
