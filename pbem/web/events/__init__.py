"""Pages of leagues, ladders, shared deals and the deal of the week."""
