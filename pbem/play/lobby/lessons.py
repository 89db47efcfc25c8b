"""Lessons as pages and mails show them: a step's position, and what a move there did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.boards.lessons import lessons, playing
from pbem.games import GAMES

if TYPE_CHECKING:
    from pbem.boards.lessons import Stand, Step


def find_game(typed: str) -> str | None:
    """Return the game with a lesson that a person named."""
    wanted = " ".join(typed.lower().split())
    return next((key for key in taught() if wanted in {key, GAMES[key].name.lower()}), None)


def taught() -> list[str]:
    """List the games that have a lesson, by name."""
    return sorted(lessons().keys() & GAMES.keys(), key=lambda key: GAMES[key].name)


def find_step(game: str, number: int) -> Step | None:
    """Return a step of a game's lesson, numbered from 1."""
    lesson = lessons().get(game) if game in GAMES else None
    return lesson.steps[number - 1] if lesson and 0 < number <= len(lesson.steps) else None


def view(at: Stand, position: Any) -> dict[str, Any]:
    """Return what the learner sees of a position, in the format of the API."""
    seen = at.game.view(position, at.seat)
    return {
        "game": at.game.key,
        "seat": int(at.seat),
        "to_move": [*map(int, seen.to_move)],
        "moves": [*seen.moves],
        "moves_are_all": seen.moves_are_all,
        "board": seen.board,
        "log": seen.log,
    }


def attempt_facts(at: Stand, step: Step, typed: str) -> dict[str, Any]:
    """Judge a typed move, and return what to say of it; raise GameError if it is not legal.

    `why` is a sentence in English, which has its translation in the catalogs; `news` are entries of the log.
    """
    judgement = playing.judge(at, step, typed)
    attempt = judgement.attempt
    return {
        "move": attempt.move,
        "right": judgement.is_right,
        "why": judgement.why,
        "news": [*attempt.news],
        "view": view(at, attempt.answered),
    }
