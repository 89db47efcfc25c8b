"""Submissions: moves and words as they come in, who may send them, and what became of them."""
