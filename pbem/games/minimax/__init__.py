"""Rules of Minimax."""

from pbem.games.minimax.game import Minimax

__all__ = ["Minimax"]
