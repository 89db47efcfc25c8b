"""Rules of Martian Trickery."""

from pbem.games.martian_trickery.game import MartianTrickery

__all__ = ["MartianTrickery"]
