"""The JSON API, with its OpenAPI document at /api/openapi.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, json, request
from flask_smorest import Api

from pbem import __version__
from pbem.addresses import canonical
from pbem.db.models import Match, Submission
from pbem.games import GAMES, Seat
from pbem.games.hidden import Eye
from pbem.i18n import _, marked
from pbem.play.accounts import api_keys
from pbem.play.archive import records
from pbem.play.core import tokens
from pbem.play.core.context import stamp
from pbem.play.core.rate_limits import DAY, Allowed
from pbem.play.lifecycle import agreements, create, held_moves
from pbem.play.matches.match_state import course_of
from pbem.play.matches.views import names_of, shown, shown_before_start
from pbem.play.submissions import queue
from pbem.web.api import auth, schemas
from pbem.web.api.openapi import Errors
from pbem.web.common import throttling
from pbem.web.common.context import here, table
from pbem.web.common.errors import refuse
from pbem.web.common.messages import UNKNOWN_LINK, UNKNOWN_MATCH
from pbem.web.common.read_replica import may_be_older, settled
from pbem.web.common.request_bodies import Part

if TYPE_CHECKING:
    from flask import Flask

    from pbem.db.models import Token
    from pbem.play.core.context import Table
    from pbem.play.lifecycle.create import Guest, Guests

NOBODY_STARTS = marked("Only somebody who is signed in may start a match here.")
MADE_A_DAY = 50
"""So many matches a day are made in one player's name by programs."""

api = Part("api", __name__, url_prefix="/api", description="Play by mail, for programs")


KEY = {
    "type": "http",
    "scheme": "bearer",
    "description": "A key that its player has made at /me/keys, for some of the scopes `read`, `play` and `start`; "
    "pages of ours may call with the cookie of whoever is signed in instead.",
}


class _Api(Api):  # type: ignore[misc]
    """Leaves errors to `pbem.web.common.errors`, which answers pages too."""

    ERROR_SCHEMA = schemas.Problem

    def _register_error_handlers(self) -> None:
        """Nothing to register here."""


def serve(app: Flask, *more: Part) -> None:
    """Add the API and its description to the application, with parts of it that have files of their own."""
    app.config.update(
        API_TITLE="Slow games by mail",
        API_VERSION=__version__,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        OPENAPI_JSON_PATH="openapi.json",
    )
    whole = _Api(app, spec_kwargs={"extra_plugins": [Errors()]})
    whole.spec.components.security_scheme("key", KEY)
    for part in (api, *more):
        whole.register_blueprint(part)


@api.get("/games")
@api.response(200, schemas.Game(many=True))
def games() -> list[dict[str, Any]]:
    """List the games that can be played here."""
    return [
        {"key": key, "name": game.name, "edition": game.edition, "seats": list(game.seats), "options": game.options}
        for key, game in GAMES.items()
    ]


@api.post("/matches")
@api.arguments(schemas.NewMatch)
@api.response(201, schemas.Made)
@api.alt_response(401, schema=schemas.Problem, description="nobody is signed in")
@api.alt_response(403, schema=schemas.Problem, description="the key lacks the scope")
@api.doc(security=[{"key": [api_keys.START]}])
def make_match(wanted: dict[str, Any]) -> dict[str, Any]:
    """Make a match; every seat is mailed an invitation, and the caller's own has accepted."""
    guests = [guest_of(one) for one in wanted["seats"]]
    terms = {term: wanted[term] for term in ("public", "clock", "on_time", "reliable", "rated", "words")}
    with table() as at:
        try:
            match = create.make(at, wanted["game"], wanted["options"], guests, **terms, **host_of(at, guests))
        except create.MatchError as refused:
            refuse(422, str(refused), {"json": {refused.field: [str(refused)]}})
        return {
            "id": match.id,
            "url": f"{here().config.base_url}/matches/{match.id}",
            "commitment": match.commitment.hex(),
            "head": match.head.hex(),
        }


@api.get("/matches/<match_id>")
@api.response(200, schemas.View)
@api.alt_response(404, schema=schemas.Problem, description="no such match, or a private one")
def public_view(match_id: str) -> dict[str, Any]:
    """Show a public match as anybody may see it."""
    with table() as at:
        return seen(at, _public(at, match_id), None)


@api.get("/matches/<match_id>/record")
@api.response(200, {"type": "object"}, description="a record, as docs/records.md describes it")
@api.alt_response(404, schema=schemas.Problem, description="no such match, a private one, or not over yet")
@may_be_older
def record(match_id: str) -> Response:
    """Give the record of a match that is over."""
    with table() as at:
        found = shared(at, match_id)
        settled(found)
        try:
            data = records.record_of(at, found).data()
        except records.NoRecordYetError as early:
            refuse(404, str(early))
    return Response(json.dumps(data, ensure_ascii=False), content_type="application/json")


@api.get("/seats/<token>")
@api.response(200, schemas.View)
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def seat_view(token: str) -> dict[str, Any]:
    """Show a match as its seat may see it; a link of an earlier stage shows what anybody may see."""
    with table() as at:
        found = linked(at, token)
        match = at.session.get_one(Match, found.holder.match_id)
        return seen(at, match, Seat(found.holder.seat) if tokens.shows_seat(found, match) else None)


@api.post("/seats/<token>/moves")
@api.arguments(schemas.NewMove)
@api.response(202, schemas.Taken)
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def send_move(wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Send a move; it is kept when this is answered, and judged in a moment."""
    with table() as at:
        found = linked(at, token)
        return {"submission": queue.send_move(at, found, queue.API, wanted["ply"], wanted["move"])}


@api.get("/seats/<token>/offers")
@api.response(200, schemas.Offer(many=True))
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def offers(token: str) -> list[dict[str, Any]]:
    """List what is proposed to the table now; nothing by a link of an earlier turn."""
    with table() as at:
        found = linked(at, token)
        match = at.session.get_one(Match, found.holder.match_id)
        current = tokens.is_current(at, found, match)
        return [
            {"kind": one.kind, "seat": one.seat, "awaited": one.awaited, "detail": one.detail, "at": stamp(one.at)}
            for one in (agreements.proposals(at, match, found.holder) if current else ())
        ]


@api.post("/seats/<token>/offers")
@api.arguments(schemas.NewOffer)
@api.response(202, schemas.Taken)
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def say_to_the_table(wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Propose, agree to or refuse a draw, a take-back, a break, more time or the end; it is judged in a moment."""
    with table() as at:
        found = linked(at, token)
        text = agreements.written(wanted["kind"], wanted["wish"], wanted["days"])
        return {"submission": queue.send_word(at, found, wanted["ply"], text, at.draw(16).hex())}


@api.get("/submissions/<submission>")
@api.response(200, schemas.Verdict)
@api.alt_response(404, schema=schemas.Problem, description="no such submission")
def verdict(submission: str) -> dict[str, Any]:
    """Tell what became of a submission."""
    with table() as at:
        found = queue.verdict_of(at, submission)
        if found is None:
            refuse(404, marked("There is no such submission here."))
        return {"status": found.status, "reason": found.reason}


@api.delete("/submissions/<submission>")
@api.response(200, schemas.Verdict)
@api.alt_response(404, schema=schemas.Problem, description="no such submission")
@api.alt_response(409, schema=schemas.Problem, description="it is held no more, or never was")
def take_back(submission: str) -> dict[str, Any]:
    """Take back a move that is held, because its player wants their moves to be, and has not been played."""
    with table() as at:
        found = at.session.get(Submission, submission)
        if found is None:
            refuse(404, marked("There is no such submission here."))
        if not held_moves.take_back(at, found):
            refuse(409, marked("This was not held any more, so it cannot be taken back."))
        return {"status": found.status, "reason": found.reason}


def guest_of(wanted: dict[str, Any]) -> Guest | None:
    """Give who shall sit at a seat; None where anybody may."""
    if wanted["bot"]:
        return create.ROBOT
    return None if wanted["open"] else create.Guest(wanted["name"], wanted["email"])


def host_of(at: Table, guests: Guests) -> dict[str, Any]:
    """Tell who makes a match: a caller sits there and thereby accepts; only an open house makes one for nobody."""
    open_house = here().config.open_house
    caller = auth.caller(at, api_keys.START) if open_house else auth.needed(at, api_keys.START, NOBODY_STARTS)
    if caller is None:
        return {}
    throttling.spend(at, Allowed("match by program", str(caller.player.id), MADE_A_DAY, DAY))
    own = auth.addresses(at, caller)
    seats = [seat for seat, guest in enumerate(guests, 1) if guest and canonical(guest.email) in own]
    if not seats and not open_house:
        raise create.MatchError("seats", _("One of the seats must be yours: give it your own address."))
    return {"creator": seats[0] if seats else None, "host": caller.player}


def linked(at: Table, typed: str) -> Token:
    """Find whose link it is, or answer that there is none such."""
    found = tokens.find(at, typed, tokens.LINK)
    if found is None:
        refuse(404, UNKNOWN_LINK)
    return found


def shared(at: Table, match_id: str) -> Match:
    """Find a match that anybody may see, or whose key the address holds."""
    match = at.session.get(Match, match_id)
    if match is None or not records.is_open(match, request.args.get("key", "")):
        refuse(404, UNKNOWN_MATCH)
    return match


def _public(at: Table, match_id: str) -> Match:
    match = at.session.get(Match, match_id)
    if match is None or not match.public:
        refuse(404, UNKNOWN_MATCH)
    return match


def seen(at: Table, match: Match, seat: Seat | None) -> dict[str, Any]:
    """Show a match as a seat may see it, or as anybody may."""
    names = names_of(at, match)
    if match.seed is None:
        return shown_before_start(match, seat, names)
    return shown(course_of(at, match), Eye.PUBLIC if seat is None else seat, names)
