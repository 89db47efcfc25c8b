"""What tests of mail facts share."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from emails.content.html import render_html
from emails.content.plain_text import render_text
from emails.messages import MessageContext, build_content, message_kinds
from emails.parsing import html_text
from pbem.config import Config, from_environment
from pbem.db.models import Match
from pbem.games import GAMES, Chance, GameError, Seat
from pbem.i18n import LANGUAGES, refusal_text, use_locale
from pbem.play.analysis.comparison import PEOPLE, Comparison
from pbem.play.analysis.par_mail import DONE
from pbem.play.clocks.time_controls import PRESETS
from pbem.play.clocks.timeout_policies import POLICIES
from pbem.play.conditional_moves import selection
from pbem.play.inbox import refusals
from pbem.play.lifecycle import seat_changes
from pbem.play.matches import descriptions, previews
from pbem.play.matches.match_state import LoadedMatch
from pbem.play.notifications.outbox import view_facts
from pbem.play.offers import wording
from pbem.play.timeouts import nominations, substitutes, votes
from pbem.states import MatchState
from tests.support.examples import examples
from tests.support.games.random_play import Match as Deal
from tests.support.games.random_play import Turn, refused, walk
from tests.support.house import settings
from tests.support.play.analysis.facts import facts as looked_back
from tests.support.play.analysis.facts import facts_in_points, turning_point
from tests.support.play.conditional_moves.mail_lines import readable

if TYPE_CHECKING:
    from collections.abc import Iterator

every_game = pytest.mark.parametrize("key", GAMES)
every_language = pytest.mark.parametrize("language", LANGUAGES)

NAMES = (
    "take 7",
    "R3/G2/R1",
    "9H",
    "6-4 3-off",
    "a b2",
    "keep",
    "sow a R1",
    "Wolfeschlegelsteinhausenbergerdorff",
    "Ann",
)
TURNS = examples(40)
ANSWERED = 0.5
"""How many turns come right after a move of the same seat, as far as their letters say."""
SEATLESS = {
    "address", "away", "back", "banned", "disk full", "disk room", "join?", "leaving", "left", "list", "lobby",
    "merged", "not away", "not banned", "not joined", "not made", "probe", "ratings", "refused us", "renamed", "report",
    "service help", "sign in", "season", "season put off", "season over", "season left", "season restored", "leagues",
    "league", "entered league", "not in league", "leave league?",
    "fields", "field entered", "field left", "field refused", "field begun", "field postponed", "field restored",
    "field deal", "field over",
    "ladders", "ladder", "ladder entered", "ladder left", "ladder refused", "ladder challenge", "ladder reminder",
    "ladder challenge sent", "ladder accepted", "ladder declined", "ladder lapsed",
    "ladder taken back", "ladder challenge ended", "ladder result", "ladder result annulled", "ladder warning",
    "ladder off", "ladder restored",
    "weekly begun", "weekly entry", "weekly settled", "not in the week", "lesson refused", "lesson step", "lessons",
    "stays no more", nominations.NOMINATION_MAIL, seat_changes.SEAT_LOST,
    substitutes.NOT_SEATED,
}  # fmt: skip
"""The kinds of mail that go to nobody at a match."""
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PAR = {"state": DONE, "compared": asdict(Comparison(1, "strong", 20, 9.25, 12, 14, PEOPLE))}
NOTED = [{"name": name, "lines": ["take 7", "note take 7"]} for name in (None, "take 7")]
RESULT = {"scores": None, "winners": [1], "ending": "resigned"}


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    return from_environment(settings("postgresql://nobody@localhost/none", tmp_path_factory.mktemp("mail")))


def deals(key: str) -> Iterator[Deal]:
    """Deal one match after another, with any seats and any options that go together."""
    game, number = GAMES[key], 0
    while True:
        number += 1
        chosen = Random(f"{key} {number}")
        options = {name: chosen.choice(may) for name, may in game.options.items()}
        seats = chosen.choice(game.seats)
        if not refused(game, seats, options):
            yield Deal(game, seats, options, chosen.randbytes(32))


def turns(key: str, matches: int = 4) -> Iterator[tuple[Deal, list[Turn], Turn]]:
    """Yield turns of matches played at random, each with those before it.

    Some matches run side by side, so that also few turns come from several of them.
    """
    dealt = deals(key)
    while True:
        running = [(deal, walk(deal), list[Turn]()) for deal in islice(dealt, matches)]
        while running:
            for deal, walked, before in [*running]:
                turn = next(walked, None)
                if turn is None:
                    running = [other for other in running if other[2] is not before]
                else:
                    yield deal, before, turn
                    before.append(turn)


def course_of(deal: Deal, before: list[Turn], position: Any) -> LoadedMatch:
    """Return the course of a match, with its row as the table would have it."""
    game = deal.game
    row = Match(
        id="abcdefghjk0123456789",
        game=game.key,
        edition=game.edition,
        options=dict(game.settle(deal.seats, deal.options)),
        public=True,
        state=MatchState.RUNNING,
        commitment=bytes(32),
        chain_head=bytes(range(32)),
        ply=len(before) + 1,
        result=None,
    )
    stages = tuple((int(turn.seat), game.stage(turn.before)) for turn in before)
    return LoadedMatch(row, game, Chance(deal.seed), (), position, position, stages)


class Facts(dict[str, Any]):
    """Everything that letters are made of; what this test knows nothing of reads like a move."""

    def __missing__(self, name: str) -> Any:
        return "take 7"


def all_facts(
    course: LoadedMatch, seat: Seat, names: tuple[str, ...], before: list[Turn], chosen: Random
) -> dict[str, Any]:
    """Return everything that any kind of letter is made of; what was typed is an old move, as it was or spoiled."""
    line = str(chosen.choice(before).move) if before else "hello"
    at = chosen.randrange(len(line) + 1)
    played = str(before[-1].move) if before and chosen.random() < ANSWERED else ""
    line = chosen.choice([line, line[:at], line[:at] + chosen.choice("x1R ,/") + line[at:], f"{line} and {line}"])
    facts = view_facts(course, seat, names) | {
        "seat": seat, "name": names[seat - 1], "game": course.match.game, "match": course.match.id,
        "head": course.match.chain_head.hex(), "commitment": course.match.commitment.hex(),
        "played": played, "line": line, "reason": objection(course, seat, line),
        "near": list(course.game.nearest(course.position, seat, line)),
        "sender": "take7@example.org", "by": names[0], "result": RESULT, "par": PAR,
        "noted": NOTED, "refused": NOTED,
        "inviter": names[-1], "creator": False,
        "options": course.match.options, "entropy": "0" * 32, "entropy_by": "player", "typed": line,
        "found": looking_back(seat, len(names), line, str(before[0].move) if before else line), "steps": [[2, 2]],
    }  # fmt: skip
    return Facts(facts | asked_facts(course, seat, names, line, chosen))


def looking_back(seat: Seat, seats: int, played: str, best: str) -> dict[str, Any]:
    """Return what looking back found: a turning point with moves that were played."""
    points = [turning_point(2, seat, played=played, best=best)]
    return facts_in_points(turning_points=points) if seats == 1 else looked_back(seats=seats, turning_points=points)


def asked_facts(course: LoadedMatch, seat: Seat, names: tuple[str, ...], line: str, chosen: Random) -> dict[str, Any]:
    """Return what only answers to commands are made of, with what was said being like a move too."""
    view = course.game.view(course.position, seat)
    key, moves = course.game.key, [*view.moves]
    move = chosen.choice(moves) if moves else line
    pieces = course.game.steps(course.position, seat, ())
    begun = previews.parse_move_start(course, seat, chosen.choice(pieces)) if pieces else None
    place = chosen.choice(["a", "4", "c3", "9H", "R1", "vault", line])
    told = [
        *descriptions.held_items(key, view.board, seat),
        *descriptions.piece_description(key, view.board, names, seat, place),
    ]
    brings = descriptions.move_effects(key, view.board, names, seat, move) if moves else []
    return {
        "log": view.log, "moves": moves, "pieces": [] if view.moves_are_all else [*pieces], "move": move,
        "after": chosen.choice([None, {"board": view.board, "to_move": view.to_move, "log": view.log}]),
        "told": told, "brings": brings, "place": place,
        "begun": begun.text if begun else move, "onward": refusals._continuations(course, seat, begun) if begun else [],
        "now": chosen.choice(["", move]), "good": chosen.choice(["", move]), "words": line, "wrote": move,
        "waited": True, "talk": [{"seat": 1, "name": names[0], "text": text} for text in (line, move)],
        "proposal": move, "proposal_now": chosen.random() < ANSWERED,
        "clock": chosen.choice([*PRESETS]), "due": (NOON + timedelta(hours=chosen.randrange(24 * 365))).isoformat(),
        "made": NOON.isoformat(), "ends": NOON.isoformat(), "failing_since": NOON.isoformat(),
        "open": chosen.randrange(3), "unanswered": [[2, name] for name in names[1:]], "reminded": names[:-1],
        "url": "https://example.org/R1", "why": "It answered with 500.",
        "ran_out": NOON.isoformat(), "lost_after": NOON.isoformat(),
        "until": NOON.isoformat(), "whose": chosen.randrange(len(names)) + 1,
        "on_time": chosen.choice([*POLICIES]),
        "offer": chosen.choice(wording.KINDS), "detail": {"from": 1, "moves": chosen.randrange(1, 9), "days": 2},
        "came": "You agreed. Bob has yet to agree.", "days": chosen.randrange(1, 8), "giver": names[0],
        "took": {"name": names[0], "seat": 1, "alone": len(names) == 1},
        "whom": names[-1], "left": 27, "away": [{"seat": seat % len(names) + 1, "until": NOON.isoformat()}],
        "unreachable": [{"seat": seat % len(names) + 1, "since": "2026-11-17T09:30:00+00:00"}],
        "plan": [["1", line, move], ["1.1", line, move], ["2", "", move], ["3", line, ""]], "examples": [line, move],
        "automatic": [{"move": move, "why": why} for why in (selection.FORCED, selection.PLANNED)],
        "coming": chosen.random() < ANSWERED, "on": chosen.random() < ANSWERED,
        "choices": [*votes.CHOICES], "choice": chosen.choice([*votes.CHOICES]), "called": names[0], "former": names[0],
        "bot": chosen.random() < ANSWERED, "back": chosen.random() < ANSWERED, "minutes": 2, "replaces": True,
        "operated": chosen.choice(["", line]),
        "kept_lines": [f"{move}; {move}", move, line], "more_lines": chosen.randrange(2),
        "pair": {"set": "abcdefghjk9876543210", "place": 1, "other": "zyxwvtsrqp0123456789", "open": True},
        "margin": chosen.choice([None, 0, 7]),
        "results": [{"match": course.match.id, "names": [*names], "result": RESULT}],
        "offers": [{"offer": kind, "by": names[0], "detail": {"moves": 2, "days": 2}} for kind in wording.KINDS],
        "held": chosen.random() < ANSWERED, "week": 49, "points": chosen.choice([None, 1, 12]), "finished": 7,
        "rank": 3, "shared_by": chosen.randrange(1, 3), "par_points": chosen.choice([None, 15]),
        "best": chosen.choice([None, [17, course.match.id, ""], [17, course.match.id, names[0]]]),
    }  # fmt: skip


def objection(course: LoadedMatch, seat: Seat, line: str) -> str:
    try:
        course.game.read(course.position, seat, line)
    except GameError as refused_it:
        return refusal_text(refused_it)
    return "That was for another turn."


def lines_of(config: Config, kind: str, facts: dict[str, Any]) -> list[str]:
    """Compose a letter, and give its lines of text and those that its page has when it is quoted as text."""
    content = build_content(kind, MessageContext(facts, config, "0123456789abcdefghjkmnpqrs", "play"))
    html = html_text.to_text(render_html(content.subject, content.parts))
    return [*render_text(content.parts).splitlines(), "", *html.splitlines(), ""]


def found_in_letters(config: Config, key: str, language: str, count: int, kinds_a_turn: int) -> tuple[int, list[str]]:
    """Look through the letters of many turns; gives how many there were, and what reads as a move in them.

    Each turn is looked at with its own letter and with some of the other kinds, in their order.
    """
    chosen, letters, found = Random(key), 0, list[str]()
    others = cycle(sorted(message_kinds().keys() - SEATLESS))
    for number, (deal, before, turn) in enumerate(islice(turns(key), count)):
        course = course_of(deal, before, turn.before)
        names = tuple(chosen.choice(NAMES) for _ in range(deal.seats))
        for seat in deal.game.to_move(turn.before):
            some = dict.fromkeys(["turn", *islice(others, kinds_a_turn)])
            with use_locale(language):
                facts = all_facts(course, seat, names, before, chosen)
                lines = [line for kind in some for line in lines_of(config, kind, facts)]
            letters += len(some)
            found += readable(deal.game, turn.before, seat, lines, joined=number % 10 == 0 or count == TURNS)
    return letters, found
