"""The JSON API, with its OpenAPI document at /api/openapi.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, json
from flask_smorest import Api, Blueprint

from pbem import __version__
from pbem.db.models import Match
from pbem.games import GAMES, Seat
from pbem.games.hidden import Eye
from pbem.play import links, matches, records, submissions
from pbem.play.history import course_of
from pbem.play.views import names_of, shown, shown_before_start
from pbem.web import schemas
from pbem.web.here import here, table
from pbem.web.problems import refuse
from pbem.words import marked

if TYPE_CHECKING:
    from flask import Flask

    from pbem.db.models import Token
    from pbem.play.table import Table

UNKNOWN_LINK = marked("There is no such link here. The newest mail of your match has one that works.")
UNKNOWN_MATCH = marked("There is no such match here, or it is a private one.")

api = Blueprint("api", __name__, url_prefix="/api", description="Play by mail, for programs")


class _Api(Api):  # type: ignore[misc]
    """Leaves errors to `pbem.web.problems`, which answers pages too."""

    ERROR_SCHEMA = schemas.Problem

    def _register_error_handlers(self) -> None:
        """Nothing to register here."""


def serve(app: Flask) -> None:
    """Add the API and its description to the application."""
    app.config.update(
        API_TITLE="Slow games by mail",
        API_VERSION=__version__,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        OPENAPI_JSON_PATH="openapi.json",
    )
    _Api(app).register_blueprint(api)


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
def make_match(wanted: dict[str, Any]) -> dict[str, Any]:
    """Make a match; every seat is mailed an invitation."""
    if not here().config.open_house:
        refuse(401, marked("Only somebody who is signed in may start a match here."))
    guests = [None if one["open"] else matches.Guest(one["name"], one["email"]) for one in wanted["seats"]]
    terms = {term: wanted[term] for term in ("public", "clock", "rated", "words")}
    with table() as at:
        try:
            match = matches.make(at, wanted["game"], wanted["options"], guests, **terms)
        except matches.MatchError as refused:
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
        return _seen(at, _public(at, match_id), None)


@api.get("/matches/<match_id>/record")
@api.response(200, description="a record, as docs/records.md describes it")
@api.alt_response(404, schema=schemas.Problem, description="no such match, a private one, or not over yet")
def record(match_id: str) -> Response:
    """Give the record of a match that is over."""
    with table() as at:
        try:
            data = records.record_of(at, _public(at, match_id)).data()
        except records.NoRecordYetError as early:
            refuse(404, str(early))
    return Response(json.dumps(data, ensure_ascii=False), content_type="application/json")


@api.get("/seats/<token>")
@api.response(200, schemas.View)
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def seat_view(token: str) -> dict[str, Any]:
    """Show a match as its seat may see it; a link of an earlier stage shows what anybody may see."""
    with table() as at:
        found = _token(at, token)
        match = at.session.get_one(Match, found.holder.match_id)
        return _seen(at, match, Seat(found.holder.seat) if links.is_current(found, match) else None)


@api.post("/seats/<token>/moves")
@api.arguments(schemas.NewMove)
@api.response(202, schemas.Taken)
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def send_move(wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Send a move; it is kept when this is answered, and judged in a moment."""
    with table() as at:
        found = _token(at, token)
        return {"submission": submissions.send_move(at, found, submissions.API, wanted["ply"], wanted["move"])}


@api.get("/submissions/<submission>")
@api.response(200, schemas.Verdict)
@api.alt_response(404, schema=schemas.Problem, description="no such submission")
def verdict(submission: str) -> dict[str, Any]:
    """Tell what became of a submission."""
    with table() as at:
        found = submissions.verdict_of(at, submission)
        if found is None:
            refuse(404, marked("There is no such submission here."))
        return {"status": found.status, "reason": found.reason}


def _token(at: Table, typed: str) -> Token:
    found = links.find(at, typed, links.LINK)
    if found is None:
        refuse(404, UNKNOWN_LINK)
    return found


def _public(at: Table, match_id: str) -> Match:
    match = at.session.get(Match, match_id)
    if match is None or not match.public:
        refuse(404, UNKNOWN_MATCH)
    return match


def _seen(at: Table, match: Match, seat: Seat | None) -> dict[str, Any]:
    names = names_of(at, match)
    if match.seed is None:
        return shown_before_start(match, seat, names)
    return shown(course_of(at, match), Eye.PUBLIC if seat is None else seat, names)
