"""Robots: opponents that choose a move from the View of their seat.

Needs the standard library and `pbem.games` only. A module in this folder that defines a Robot is found automatically;
installed packages add robots by the entry point group `pbem.robots`. A game without one has the levels that need no
thinking.
"""

from pbem.robots.choosing import edition, find, levels, think
from pbem.robots.identity import Identity
from pbem.robots.levels import QUICK_LEVELS, any_move, choose_quickly
from pbem.robots.outlook import Outlook
from pbem.robots.robot import Robot, SearchingRobot
from pbem.robots.seeds import derive_seed
from pbem.robots.thought import Level, Thought, Try

__all__ = [
    "QUICK_LEVELS", "Identity", "Level", "Outlook", "Robot", "SearchingRobot", "Thought", "Try", "any_move",
    "choose_quickly", "derive_seed", "edition", "find", "levels", "think",
]  # fmt: skip
