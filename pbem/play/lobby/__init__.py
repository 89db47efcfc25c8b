"""The lobby: open tables, who joins them, and requests for new matches by mail."""
