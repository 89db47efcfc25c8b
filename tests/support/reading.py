"""The readers of typed text, each as a function of nothing but the text."""

from __future__ import annotations

import contextlib
from datetime import date
from random import Random
from typing import TYPE_CHECKING, Any

from werkzeug.exceptions import HTTPException

from pbem.games import GAMES, GameError, Seat
from pbem.games.chance import Chance
from pbem.play.conditional_moves.parser import Grammar
from pbem.play.conditional_moves.plans import PlanError
from pbem.play.core.actors import Action
from pbem.play.lifecycle.match_requests import Invitee
from pbem.robots import Level
from pbem.web.lobby import new_match_form
from pbem.web.operators.action_registry import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Rows = dict[str, Callable[[str], object]]

PLIES = 12
WRAPPED = 998
"""No line of a mail is longer."""
BEHIND = {
    "games.amazonian_buffet.game.AmazonianBuffet.parse": "games.game.Game.read",
    "games.amazonian_buffet.layouts.parse": "games.game.Game.read",
    "games.amazonian_buffet.turns.parse": "games.game.Game.read",
    "games.amazonian_buffet.turns.parse_canonical": "games.game.Game.read",
    "games.game.Game.parse": "games.game.Game.read",
    "games.martian_trickery.game.MartianTrickery.parse": "games.game.Game.read",
    "games.martian_whist.game.MartianWhist.parse": "games.game.Game.read",
    "games.minimax.game.Minimax.parse": "games.game.Game.read",
    "games.montauk.game.Montauk.parse": "games.game.Game.read",
    "games.montauk.track.parse_steps": "games.game.Game.read",
    "games.cards.fold": "play.chat.messages.message_text",
    "games.pyramids.fold": "play.chat.messages.message_text",
    "games.typed_text.fold": "games.typed_text.parse_line",
    "play.clocks.date_ranges._parse_day": "play.clocks.date_ranges.parse",
    "play.submissions.suggestion_numbers.parse_move": "games.game.Game.read",
    "play.inbox.commands.conditional_moves.split_lines": "play.conditional_moves.parser.partition",
    "games.amazonian_buffet.turns.parse_other_turn": "play.conditional_moves.parser.parse",
    "games.martian_whist.words.parse_draft": "games.game.Game.read",
    "games.martian_whist.words.parse_tree": "games.game.Game.read",
    "games.minimax.words.parse_sowing": "games.game.Game.read",
    "games.montauk.track._parse_step": "games.game.Game.read",
    "play.conditional_moves.parser._normalise": "play.conditional_moves.parser.parse",
    "play.conditional_moves.parser._parse_clause": "play.conditional_moves.parser.parse",
    "play.conditional_moves.parser._parse_move": "play.conditional_moves.parser.parse",
    "play.conditional_moves.parser._parse_policy": "play.conditional_moves.parser.parse",
    "play.inbox.commands._parse_rest": "play.inbox.commands.parse",
    "play.inbox.commands.fold": "play.inbox.commands.parse",
    "play.inbox.judge._parse_plain_answer": "play.inbox.plain_answers.parse",
    "play.inbox.plain_answers._normalise": "play.inbox.plain_answers.parse",
    "play.lobby.replacement_parser._parse_seat": "play.lobby.replacement_parser.parse",
    "play.lobby.request_parser._Parser.parse_word": "play.lobby.request_parser.parse",
    "play.lobby.request_parser.parse_game": "play.lobby.request_parser.parse",
    "play.lobby.request_parser._parse_value": "play.lobby.request_parser.parse",
    "play.matches.previews._parse_pieces": "games.game.Game.read",
    "play.matches.previews.parse_move_start": "games.game.Game.read",
    "play.notifications.webhook_urls._normalise": "play.notifications.webhook_urls.parse_url",
    "web.lobby.new_match_form._parse_place": "web.lobby.new_match_form.parse",
    "play.offers.time_extensions.parse_days": "play.inbox.commands.parse",
    "play.inbox.commands.new_matches._parse_level": "play.inbox.commands.parse",
    "play.lobby.robot_words.parse_level": "play.lobby.request_parser.parse",
    "play.inbox.field_mail._parse": "play.inbox.commands.parse",
    "play.inbox.ladder_mail._parse_challenge": "play.inbox.commands.parse",
    "play.ladders.open_ladders.parse": "play.inbox.commands.parse",
    "web.api.events._parse_cursor": "web.common.cursors.decode",
    "web.events.fields.decode_cursor": "web.common.cursors.decode",
}
"""What is given only what another reader has let through."""
NO_TYPED_TEXT = {
    "games.record_text._number": "of a record, in the shell",
    "games.record_text.parse_text": "of a record, in the shell",
    "web.system.inbound_mail._parse_object": "of the mail service, which has shown its key",
    "web.seat.chat.read": "a page",
    "web.seat.turn._parse_time": "of the facts of a position",
    "web.api.chat.read": "a call",
    "web.api.stream._parse": "the id of an event, which a program sends back",
    "web.api.matches._parse_guest": "a call",
    "web.api.matches._parse_level": "a call",
    "web.api.matches.parse_guests": "a call",
    "web.api.chat.read_mine": "a call",
    "boards.amazonian_buffet.choices.parse_hands": "of a move that was found",
    "boards.minimax.drawing._parse_drops": "of a move that was found",
    "boards.prose.clean_name": "of a name that is stored",
    "games.record_text._parse_result_words": "of a record, in the shell",
    "play.archive.record_import._parse_timestamp": "of a record, in the shell",
    "play.accounts.event_feed.parse": "the id of an event, which a program sends back",
    "play.notifications.push_client.parse_delay": "of a push service",
    "play.notifications.push_subscriptions.parse": "of a browser",
    "play.notifications.smtp_status.parse_status": "of a mail server",
    "web.common.webauthn.parse_answer": "of a browser",
    "web.operators.access.number_filter": "names a field",
    "web.operators.action_registry.parse_subject": "names a field",
}
"""What is called like a reader and is none of what somebody typed at a page or in a mail, with why."""


def rows(found: dict[str, tuple[Callable[..., Any], str]]) -> Rows:
    """Return the readers by name."""
    host = Invitee("Ann", "ann@example.org")
    act = Action("pause", "match", needs_reason=True)
    given: dict[str, Callable[[str], tuple[Any, ...]]] = {
        "play.clocks.date_ranges.parse": lambda text: (text, date(2026, 8, 1)),
        "play.lobby.request_parser.parse": lambda text: (text, host),
        "play.lobby.replacement_parser.parse": lambda text: (text, ("Ann", "Bob")),
        "play.operators.perform.clean_reason": lambda text: (text, act),
        "web.operators.action_registry._parse_number": lambda text: (text, "That is no number."),
        "web.matches.share._parse_number": lambda text: (text, "There is no such step."),
        "web.operators.action_registry._parse_field": lambda text: (Field("days", "Days", "number", "", 9), text),
        "web.common.robot_levels.parse": lambda text: ("montauk", text, Level.FAIR),
        "games.typed_text.parse_line": lambda text: (text, "-", str),
    }
    alone = {
        "play.chat.messages.sanitise",
        "play.core.tokens.normalise",
        "play.lobby.request_parser.default_name",
        "play.notifications.webhook_urls.parse_url",
        "play.operators.outbound_actions._normalise_address",
        "play.operators.perform.clean_sentence",
        "play.operators.search.everything._parse_fingerprint",
        "play.operators.search.pagination.parse_number",
        "play.players.registry.normalise_email",
        "play.players.registry.normalise_name",
        "play.timeouts.nominations.parse",
        "play.timeouts.votes.parse",
        "web.account.availability._parse_day",
        "web.common.cursors.decode",
        "web.request.form_fields.parse_number",
    }
    made: Rows = {name: with_text(found[name][0], texts) for name, texts in given.items()}
    made |= {name: found[name][0] for name in alone}
    made |= {name: of_lines(found[name][0], *more) for name, more in lines_of().items()}
    made["play.conditional_moves.parser.is_plan_line"] = of_lines(
        one_line(found["play.conditional_moves.parser.is_plan_line"][0]), tongue()
    )
    made["games.game.Game.read"] = made["games.amazonian_buffet.game.AmazonianBuffet.read"] = moves()
    made["web.lobby.new_match_form.parse"] = form
    return {name: refusing(read) for name, read in made.items()}


def refusing(read: Callable[[str], object]) -> Callable[[str], object]:
    """Return a reader that ends without a word where it understands nothing."""

    def tried(text: str) -> None:
        with contextlib.suppress(ValueError, GameError, PlanError, HTTPException):
            read(text)

    return tried


def with_text(read: Callable[..., object], given: Callable[[str], tuple[Any, ...]]) -> Callable[[str], object]:
    """Read a text together with what else the reader needs."""
    return lambda text: read(*given(text))


def of_lines(read: Callable[..., object], *more: object) -> Callable[[str], object]:
    """Read a text as one line, as forms send it, and as the many of a mail."""

    def both(text: str) -> None:
        for lines in ([text], [text[at : at + WRAPPED] for at in range(0, len(text), WRAPPED)]):
            with contextlib.suppress(ValueError, GameError, PlanError, HTTPException):
                read(lines, *more)

    return both


def lines_of() -> dict[str, tuple[object, ...]]:
    """Return the readers of lines, with what else they need."""
    return {
        "play.inbox.commands.parse": (),
        "play.inbox.plain_answers.parse": (),
        "play.conditional_moves.parser.may_contain_plan": (),
        "play.conditional_moves.parser.partition": (tongue(),),
        "play.conditional_moves.parser.parse": (tongue(),),
        "play.chat.messages.message_text": ("Ann",),
    }


def tongue() -> Grammar:
    """Return what the words of a plan are measured by in a game with cards."""
    game = GAMES["montauk"]
    view = game.view(game.setup(2, {}, Chance(bytes(32))), Seat(1))
    return Grammar(lambda text: game.meets(view, text), str, ())


def moves() -> Callable[[str], object]:
    """Read a text as a move of every game, at some positions of each."""
    positions = []
    for game in GAMES.values():
        random, chance = Random(1), Chance(bytes(32))
        position: Any = game.setup(game.seats[0], {}, chance)
        for _ply in range(PLIES):
            if not game.to_move(position):
                break
            seat = game.to_move(position)[0]
            positions.append((game, position, seat))
            legal = [move for move, _n in zip(game.moves(position, seat), range(50), strict=False)]
            position = game.apply(position, seat, random.choice(legal), chance)

    def read(text: str) -> None:
        for game, position, seat in positions:
            with contextlib.suppress(ValueError, GameError, PlanError, HTTPException):
                game.read(position, seat, text)

    return read


def form(text: str) -> None:
    """Read a text as every field of the form of a new match."""
    fields = ("name-1", "email-1", "name-2", "email-2", "seats", "words", "clock", "watched", "reliable", "on_time")
    new_match_form.parse("martian-whist", dict.fromkeys((*fields, "level", "level-2"), text), Level.FAIR)


def one_line(read: Callable[..., object]) -> Callable[[Sequence[str], Any], object]:
    """Return a reader of several lines that applies another to each."""
    return lambda lines, tongue: [read(line, tongue) for line in lines]
