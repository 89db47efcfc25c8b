"""Schemas of the API's bodies, in marshmallow; the OpenAPI document is generated from them."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from pbem.play.clocks.time_controls import DEFAULT, PRESETS, UNLIMITED
from pbem.play.clocks.timeout_policies import POLICIES, RELIABILITY_REQUIREMENTS
from pbem.play.lifecycle.agreements import ACTIONS, PROPOSE
from pbem.play.offers.wording import KINDS
from pbem.play.players.bots import NONE as NO_BOTS
from pbem.play.players.bots import POLICIES as POLICIES_FOR_BOTS
from pbem.play.submissions import queue
from pbem.ratings.eligibility import Reason
from pbem.states import MatchState


def check_storable(text: str) -> None:
    """Reject a text with characters that the database cannot store."""
    if "\0" in text or text != text.encode("utf-8", "replace").decode():
        raise ValidationError("Not a valid string.")


def moment(description: str = "", *, allow_none: bool = False) -> fields.String:
    """Return the field of a moment: in UTC, as `2026-11-21T05:50:10.123Z`."""
    metadata = {"format": "date-time"} | ({"description": description} if description else {})
    return fields.String(required=True, allow_none=allow_none, metadata=metadata)


def robots() -> fields.Dict:
    """Return the field of a match's robots."""
    return fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "levels of the robots, by seat"},
    )


def bots() -> fields.List[Any]:
    """Return the field of a match's bots."""
    return fields.List(fields.Integer(), required=True, metadata={"description": "seats whose players are bots"})


def bot_policy(**more: Any) -> fields.String:
    """Return the field of what a match allows bots."""
    words = "whether bots may take open seats: `none`, or `unrated` or `rated`, which is whether the result counts then"
    return fields.String(validate=validate.OneOf(POLICIES_FOR_BOTS), metadata={"description": words}, **more)


class NoFields(Schema):
    """The body of a call that says all by its address."""


class Game(Schema):
    """A game that can be played here."""

    key = fields.String(required=True)
    name = fields.String(required=True)
    edition = fields.Integer(required=True)
    seats = fields.List(fields.Integer(), required=True, metadata={"description": "possible numbers of seats"})
    options = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Raw()),
        required=True,
        metadata={"description": "allowed values of each option, the default first"},
    )
    levels = fields.List(
        fields.String(), required=True, metadata={"description": "levels of the game's robots, the weakest first"}
    )
    lesson = fields.String(
        required=True, allow_none=True, metadata={"description": "address of the game's lesson; null if it has none"}
    )


class Guest(Schema):
    """An invitee; or, with nothing but `open`, a seat that anyone may take; or, with `bot`, a robot."""

    name = fields.String()
    email = fields.String()
    open = fields.Boolean(load_default=False)
    bot = fields.Boolean(load_default=False)
    level = fields.String(metadata={"description": "of the robot, one of the game's `levels`; default: `fair`"})

    @validates_schema
    def check_occupant(self, data: dict[str, Any], **_more: Any) -> None:
        """Reject a seat that is not exactly one of these: an invitee's, open, a robot's."""
        if data["open"] and data["bot"]:
            raise ValidationError("A seat cannot be both open and a robot's.", "bot")
        if "level" in data and not data["bot"]:
            raise ValidationError("Unknown field.", "level")
        nobody = data["open"] or data["bot"]
        for field in ("name", "email"):
            if (field in data) == nobody:
                raise ValidationError("Unknown field." if nobody else "Missing data for required field.", field)


class NewMatch(Schema):
    """A match to create."""

    game = fields.String(required=True)
    options = fields.Dict(keys=fields.String(), load_default=dict)
    seats = fields.List(fields.Nested(Guest), required=True, validate=validate.Length(min=1, max=12))
    public = fields.Boolean(load_default=True)
    clock = fields.String(
        load_default=DEFAULT, metadata={"description": f"one of {', '.join(PRESETS)}; a match of one player has none"}
    )
    on_time = fields.String(
        load_default=None,
        metadata={
            "description": f"what happens to a seat whose time has run out, one of {', '.join(POLICIES)}; default: "
            "`substitute` if a seat is open, else `vote`"
        },
    )
    reliable = fields.Integer(
        load_default=None,
        strict=True,
        metadata={
            "description": "percentage of finished matches required of players who take an open seat: "
            f"{' or '.join(map(str, RELIABILITY_REQUIREMENTS))}; default: none"
        },
    )
    rated = fields.Boolean(
        load_default=None,
        metadata={"description": "whether the result counts; default: only in a public match"},
    )
    bots = bot_policy(load_default=NO_BOTS)
    open_if_declined = fields.Boolean(
        load_default=False,
        metadata={
            "description": "if an invitee declines, their seat is open to others in a new match, and the match is not "
            "called off"
        },
    )
    words = fields.String(
        load_default="",
        validate=validate.Length(max=2000),
        metadata={"description": "the host's message to the invited players"},
    )
    there_and_back = fields.Boolean(
        load_default=False,
        metadata={
            "description": "two matches of the same deal, the seats exchanged; for games of two whose deal is open"
        },
    )


class NewFork(Schema):
    """The step that a practice match starts from, and its players; the caller may have several seats."""

    step = fields.Integer(strict=True, metadata={"description": "number of log entries to keep; 0 is the deal"})
    ply = fields.Integer(strict=True, metadata={"description": "instead of `step`: the last move to keep"})
    seats = fields.List(fields.Nested(Guest), required=True, validate=validate.Length(min=1, max=12))
    clock = fields.String(load_default=UNLIMITED, metadata={"description": f"one of {', '.join(PRESETS)}"})
    words = fields.String(load_default="", validate=validate.Length(max=2000))

    @validates_schema
    def check_step(self, data: dict[str, Any], **_more: Any) -> None:
        """Require a step or a ply, and not both."""
        if ("step" in data) == ("ply" in data):
            raise ValidationError("Send either `step` or `ply`.", "step")


class Pair(Schema):
    """A deal that is played there and back."""

    id = fields.String(required=True)
    url = fields.String(required=True)
    matches = fields.List(
        fields.String(), required=True, metadata={"description": "both matches; the second is there once both begin"}
    )


class Made(Schema):
    """A match that was created; its invitations are on their way."""

    id = fields.String(required=True)
    url = fields.String(required=True)
    commitment = fields.String(required=True)
    head = fields.String(required=True)
    set = fields.Nested(Pair, metadata={"description": "the deal of a match that is played there and back"})


class View(Schema):
    """What one viewer may know of a match; `seat` is null for spectators."""

    match = fields.String(required=True)
    game = fields.String(required=True)
    options = fields.Dict(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    robots = robots()
    bots = bots()
    ply = fields.Integer(required=True, metadata={"description": "first ply of the present stage"})
    to_move = fields.List(fields.Integer(), required=True)
    moves = fields.List(fields.String(), required=True, metadata={"description": "the viewer's own legal moves"})
    moves_are_all = fields.Boolean(required=True)
    suggestions = fields.List(
        fields.String(), required=True, metadata={"description": "likely good moves of the viewer, by what they know"}
    )
    board = fields.Dict(required=True)
    text = fields.String(required=True)
    outcome = fields.Dict(required=True, allow_none=True)
    rated = fields.Raw(
        required=True,
        metadata={
            "type": ["boolean", "string"],
            "description": "true if the result counts for ratings, or will; else why it does not, one of "
            f"{', '.join(f'`{reason}`' for reason in Reason)}",
        },
    )
    commitment = fields.String(required=True)
    head = fields.String(required=True)


class Me(Schema):
    """The player of a key or a cookie, and its scopes."""

    name = fields.String(required=True)
    language = fields.String(required=True)
    zone = fields.String(required=True)
    addresses = fields.List(
        fields.String(), required=True, metadata={"description": "verified addresses, the main one first"}
    )
    scopes = fields.List(fields.String(), required=True)
    bot = fields.Nested(
        "Bot", required=True, allow_none=True, metadata={"description": "null for a person's own account"}
    )


class Bot(Schema):
    """That a program plays for an account."""

    since = moment("when that was declared")
    rated = fields.Boolean(
        required=True, metadata={"description": "whether its matches are rated where the host agrees"}
    )


class NewBot(Schema):
    """The declaration that a program plays for the caller's account, from now on."""

    rated = fields.Boolean(
        load_default=False, metadata={"description": "whether its matches are rated where the host agrees"}
    )


class MyMatch(Schema):
    """Summary of one of the caller's matches."""

    match = fields.String(required=True)
    game = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(list(MatchState)))
    seat = fields.Integer(required=True, metadata={"description": "the caller's own"})
    players = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata={"description": "names by seat"}
    )
    robots = robots()
    bots = bots()
    ply = fields.Integer(required=True)
    to_move = fields.List(fields.Integer(), required=True)
    your_turn = fields.Boolean(required=True, metadata={"description": "whether the caller has to move or to accept"})
    deadline = moment("when the caller's move is due", allow_none=True)
    ended = moment(allow_none=True)
    outcome = fields.Dict(required=True, allow_none=True)
    url = fields.String(required=True)


class MatchesPage(Schema):
    """The place in a list of matches from which to go on."""

    before = fields.String(load_default="", metadata={"description": "as in the `Link` header of the page before"})


class NewMove(Schema):
    """A move to play, with the ply of the seat's turn."""

    ply = fields.Integer(required=True, strict=True, validate=validate.Range(min=-(2**31), max=2**31 - 1))
    move = fields.String(required=True, validate=validate.Length(max=queue.MAX_MOVE_CHARS))


class NewPlan(Schema):
    """All conditional moves of a seat, as its player would type them; they replace the earlier ones."""

    lines = fields.List(
        fields.String(validate=validate.Length(max=1000)),
        required=True,
        validate=validate.Length(max=200),
        metadata={
            "description": "`if CONDITION: MOVE`, indented below another such line; `when I can: MOVE`; `always ORDER`"
        },
    )


class PlanLine(Schema):
    """A line of conditional moves, as parsed."""

    number = fields.String(required=True, metadata={"description": "2, or 2.1 below it"})
    condition = fields.String(
        required=True, metadata={"description": "empty for a move that waits; the order, where the move is empty"}
    )
    move = fields.String(required=True)
    sentence = fields.String(required=True, metadata={"description": "the line in words"})


class Plan(Schema):
    """The conditional moves of a seat, which only its player sees."""

    lines = fields.List(fields.String(), required=True, metadata={"description": "as they can be sent again"})
    understood = fields.List(fields.Nested(PlanLine), required=True)
    waits = fields.Boolean(required=True, metadata={"description": "whether its next move is to be played soon"})


class NewOffer(Schema):
    """An offer, or an answer to one, with the current ply of the match."""

    ply = fields.Integer(required=True, strict=True, validate=validate.Range(min=-(2**31), max=2**31 - 1))
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    wish = fields.String(
        load_default=PROPOSE,
        validate=validate.OneOf(ACTIONS),
        metadata={"description": "`ask` agrees if the same is proposed already; `resume` ends a pause"},
    )
    days = fields.Integer(
        load_default=None,
        strict=True,
        validate=validate.Range(min=-(2**31), max=2**31 - 1),
        metadata={"description": "number of days, for more time"},
    )


class Offer(Schema):
    """An open offer of a seat; it takes effect when no other seat has yet to agree."""

    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    seat = fields.Integer(required=True)
    awaited = fields.List(fields.Integer(), required=True, metadata={"description": "the seats that have yet to agree"})
    detail = fields.Dict(required=True, metadata={"description": "`days` of more time, `from` which ply to take back"})
    at = moment()


class Taken(Schema):
    """A submission that was stored and will be judged."""

    submission = fields.String(required=True)


class Verdict(Schema):
    """State of a submission."""

    status = fields.String(required=True, validate=validate.OneOf(["pending", "played", "rejected", "already_played"]))
    reason = fields.String(required=True, allow_none=True)


class Problem(Schema):
    """An error as in RFC 9457; `reason` is one sentence for people, `code` stays the same for programs."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True, metadata={"description": "what kind of error it is; more may be added"})
    detail = fields.String(required=True)
    reason = fields.String(required=True)
    errors = fields.Dict()
