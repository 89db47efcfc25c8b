"""The deal of the week: everybody plays the same wheel of Minimax."""
