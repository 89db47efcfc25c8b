"""Submissions: moves and messages as they come in, who may send them, and what became of them."""
