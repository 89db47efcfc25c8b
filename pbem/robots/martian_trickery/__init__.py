"""Robot of Martian Trickery."""

from pbem.robots.martian_trickery.robot import TrickeryRobot

__all__ = ["TrickeryRobot"]
