"""Rules of leagues, ladders and shared deals, as functions of values: groups, tables, scores."""
