"""Analyses of finished matches, by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.robots import looking_back, par

if TYPE_CHECKING:
    from pbem.robots.progress import Steps

PAR, LOOKING_BACK = "par", "looking-back"

STEPS: dict[str, Steps] = {PAR: par.steps, LOOKING_BACK: looking_back.steps}
"""How each kind is made."""
