"""Rules of Montauk."""

from pbem.games.montauk.game import Montauk

__all__ = ["Montauk"]
