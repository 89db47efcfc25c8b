"""Robot of Montauk."""

from pbem.robots.montauk.robot import MontaukRobot

__all__ = ["MontaukRobot"]
