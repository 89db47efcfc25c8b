"""Operators' search: everything that they may look up, with the reasons for its state, and without secrets."""
