"""The page that explains the fairness check, which every mail about a match prints."""

from __future__ import annotations

from flask import Blueprint, render_template

pages = Blueprint("fairness", __name__)


@pages.get("/fairness")
def fairness() -> str:
    """Explain how players can check that a deal was fair and that no move was changed."""
    return render_template("system/fairness.html")
