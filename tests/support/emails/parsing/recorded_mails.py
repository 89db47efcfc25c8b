"""The mails of a match of each game and answers to commands, kept as text; run as a module, this one writes them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emails.content.plain_text import render_text
from emails.messages import MessageContext, build_content, message_kinds
from emails.messages.subjects import seatless_subject
from emails.parsing.reply_marker import marker
from pbem.config import from_environment
from pbem.db.models import Match
from pbem.games import GAMES, Chance, GameError, Seat
from pbem.games.record import result
from pbem.i18n import refusal_text
from pbem.play.analysis.comparison import PEOPLE, Comparison
from pbem.play.analysis.par_mail import DONE
from pbem.play.matches import descriptions
from pbem.play.matches.match_state import LoadedMatch
from pbem.play.matches.views import render_before_start
from pbem.play.notifications.outbox import view_facts
from pbem.states import MatchState
from tests.support.emails.parsing.recorded_answers import about_lessons, of_lesson, of_notes, of_seats, without_seat
from tests.support.house import NAMES, address, settings
from tests.support.places import DATA
from tests.support.play.analysis.facts import facts, facts_in_points, turning_point

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from emails.content.blocks import Block
    from pbem.config import Config
    from pbem.games import Game

FOLDER = DATA / "golden"
SEED = bytes(range(32))
LINK, REPLY, NONCE = "0123456789abcdefghjkmnpqrs", "s" * 26, "3k9f2a"
TALK = [{"seat": 1, "name": "Ann", "text": "What a start! I did not see that coming."}]
DUE = "2026-12-03T18:00:00+00:00"
ANSWERED = "martian-whist"
"""The game whose commands are answered; the answers are the same in each."""
MISTAKES = {
    "amazonian-buffet": "a1-a9 b2",
    "martian-trickery": "the ace of spades",
    "martian-whist": "take 77",
    "minimax": "sow d R1 on R1",
    "montauk": "7 of cups",
}
"""What somebody types for a move in each game."""


@dataclass(frozen=True)
class Recorded:
    """One mail: of which game, if of one, at what stage, and its text with the subject above."""

    game: str
    name: str
    text: str

    @property
    def path(self) -> Path:
        return FOLDER / (self.game or "service") / f"{self.name}.txt"


def recorded() -> Iterator[Recorded]:
    for game in GAMES.values():
        # Games of other packages are not ours to keep.
        if type(game).__module__.startswith("pbem.games."):
            yield from _mails(game)
            yield from (_seatless(game.key, *answer) for answer in of_lesson(game, _config()))
    answers = (*about_lessons(_config()), *without_seat(_config()))
    yield from (_seatless("", *answer) for answer in answers)


def _mails(game: Game[Any]) -> Iterator[Recorded]:
    names = NAMES[: game.seats[0]]
    settled = dict(game.settle(len(names), {}))
    match = Match(
        id="abcdefghjk0123456789", game=game.key, edition=game.edition, options=settled, public=True,
        state=MatchState.INVITING,
        commitment=bytes(range(32)), chain_head=bytes(range(32)), ply=1, result=None,
    )  # fmt: skip
    waiting = {"view": render_before_start(match, Seat(1), names), "names": list(names)}
    invited = waiting | {"entropy": "0123456789abcdef" * 2, "options": settled, "inviter": names[-1], "creator": False}
    invited |= {"inviter_address": address(names[-1]), "words": "Shall we? You still owe me one.", "clock": "3 days"}
    yield _mail(game, "invitation", "invitation", invited)
    if game.key == ANSWERED:
        yield from (_mail(game, *answer) for answer in of_seats(invited))
    match.state = MatchState.RUNNING
    seen: set[str] = set()
    points: list[dict[str, Any]] = []
    for course, seat in _courses(game, match, len(names)):
        shown = view_facts(course, seat, names) | ({"due": DUE} if len(names) > 1 else {})
        stage = _stage(course, seat)
        moving = seat in game.to_move(course.position)
        if course.turns and moving and stage not in seen:
            yield _mail(game, f"turn {stage}", "turn", shown)
            yield _mail(game, f"rejected {stage}", "rejected", shown | _refused(course, seat))
            if not seen:
                again = shown | {"played": shown["suggestions"][0], "wrote": "Well played!", "talk": TALK}
                yield _mail(game, "turn again", "turn", again | _failing(names))
                if game.key == ANSWERED:
                    yield from (_mail(game, *answer) for answer in of_notes(shown))
            seen.add(stage)
            points.append(_turning_point(course, seat))
        yield from _receipts(course, seat, names, seen)
        last = course
    match.state, outcome = MatchState.OVER, last.game.outcome(last.position)
    ended = result(outcome, "finished", (), len(names))
    over = view_facts(last, Seat(1), names) | {"result": ended, "seat": 1}
    yield _mail(game, "final", "final", over)
    compared = Comparison(1, "strong", 20, 9.25, 12, outcome.scores[0] if outcome else None, PEOPLE)
    yield _mail(game, "final with par", "final", over | {"par": {"state": DONE, "compared": asdict(compared)}})
    found = facts_in_points(len(last.turns)) if len(names) == 1 else facts(len(last.turns), len(names))
    looked = over | {"found": found | {"turning_points": points}, "steps": [[one["ply"], one["ply"]] for one in points]}
    yield _mail(game, "looking back", "looking back", looked)


def _courses(game: Game[Any], match: Match, seats: int) -> Iterator[tuple[LoadedMatch, Seat]]:
    """Yield a match as it stands before each move, in which everybody plays what is suggested first, and its end."""
    chance = Chance(SEED)
    position, turns = game.setup(seats, {}, chance), list[tuple[int, int]]()
    while movers := game.to_move(position):
        yield LoadedMatch(match, game, chance, (), position, position, tuple(turns)), movers[0]
        turns.append((movers[0], game.stage(position)))
        position = game.apply(position, movers[0], game.suggest(position, movers[0])[0], chance)
        match.ply += 1
    yield LoadedMatch(match, game, chance, (), position, position, tuple(turns)), Seat(1)


def _turning_point(course: LoadedMatch, seat: Seat) -> dict[str, Any]:
    """Return a turning point at which the last move that the game suggests was played, and the first was the best."""
    moves = course.game.suggest(course.position, seat)
    best, less = (78.0, 6.0) if course.game.seats[0] > 1 else (9.5, 0.5)
    choices = [{"move": move, "value": best - less * at} for at, move in enumerate(moves)]
    played = {"played": moves[-1], "value": choices[-1]["value"], "best": moves[0], "best_value": best}
    return turning_point(course.match.ply, seat, choices=choices, **played)


def _stage(course: LoadedMatch, seat: Seat) -> str:
    board: dict[str, Any] = course.game.board(course.position, seat)
    return str(board.get("phase") or board.get("stage") or ("over" if board.get("over") else "sowing"))


def _receipts(course: LoadedMatch, seat: Seat, names: tuple[str, ...], seen: set[str]) -> Iterator[Recorded]:
    """Record the answer to the move that led here, if its player has to wait now; once for each stage."""
    name = f"receipt {_stage(course, seat)}"
    moved = Seat(course.turns[-1][0]) if course.turns else seat
    if name not in seen and moved not in course.game.to_move(course.position) and course.game.to_move(course.position):
        seen.add(name)
        shown = view_facts(course, moved, names)
        yield _mail(course.game, name, "receipt", shown | {"played": shown["news"][-1]["move"] or "TS", "seat": moved})


def _refused(course: LoadedMatch, seat: Seat) -> dict[str, Any]:
    line = MISTAKES[course.game.key]
    try:
        course.game.read(course.position, seat, line)
    except GameError as error:
        near = [*course.game.nearest(course.position, seat, line)]
        return {"line": line, "near": near, "reason": descriptions.shorten_refusal(near, refusal_text(error))}
    raise AssertionError(line)


def _failing(names: tuple[str, ...]) -> dict[str, Any]:
    return {"unreachable": [{"seat": len(names), "since": "2026-11-17T09:30:00+00:00"}]}


def _mail(game: Game[Any], name: str, kind: str, known: dict[str, Any]) -> Recorded:
    seat = known.get("seat", known["view"]["seat"])
    known = known | {
        "seat": seat, "name": known["names"][seat - 1], "game": game.key, "match": "abcdefghjk0123456789",
        "head": bytes(range(32)).hex(), "commitment": bytes(range(32, 64)).hex(),
    }  # fmt: skip
    content = build_content(kind, MessageContext(known, _config(), LINK, REPLY))
    return _recorded(game.key, name, content.subject, (*content.parts, content.proof))


def _seatless(game: str, name: str, kind: str, known: dict[str, Any]) -> Recorded:
    """Record a mail that is not about a seat."""
    reader, found = MessageContext(known, _config(), "", ""), message_kinds()[kind]
    return _recorded(game, name, seatless_subject(found, reader), found.build_blocks(reader))


def _recorded(game: str, name: str, subject: str, parts: Sequence[Block]) -> Recorded:
    text = f"Subject: {subject}\n\n{render_text(parts, marker(NONCE))}"
    return Recorded(game, name.replace(" ", "-"), text)


@cache
def _config() -> Config:
    return from_environment(settings("postgresql://nobody@localhost/none", Path("mail")))


def rewrite() -> None:
    for stale in FOLDER.glob("*/*.txt"):
        stale.unlink()
    for kept in recorded():
        kept.path.parent.mkdir(parents=True, exist_ok=True)
        kept.path.write_text(kept.text, encoding="utf-8")


if __name__ == "__main__":
    rewrite()
