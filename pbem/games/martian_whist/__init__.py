"""Rules of Martian Whist."""

from pbem.games.martian_whist.game import MartianWhist

__all__ = ["MartianWhist"]
