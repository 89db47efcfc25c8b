"""Images of matches for other sites: a position, an animated match, a frame for other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from flask import Blueprint, Response, abort, jsonify, render_template, request, url_for
from markupsafe import Markup

from pbem.boards.poster import WIDTH
from pbem.db.models import Match
from pbem.games import GAMES
from pbem.i18n import LANGUAGES, _, current_locale, marked
from pbem.pictures.png import png, size
from pbem.play.archive import animation_cache, share_images
from pbem.play.archive.share_images import SnapshotError, SnapshotRequest
from pbem.play.matches import share_keys
from pbem.play.matches.views import player_names
from pbem.states import MatchState
from pbem.web.common import lookup
from pbem.web.common.messages import UNKNOWN_GAME
from pbem.web.common.urls import absolute_url
from pbem.web.matches import social_cards
from pbem.web.request import form_fields, throttling
from pbem.web.request.context import service, transaction
from pbem.web.request.locale import use_language
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.play.archive.share_images import Snapshot
    from pbem.play.core.context import Context

pages = Blueprint("share", __name__)

MAX_PICTURES_PER_HOUR, MAX_ANIMATIONS_PER_HOUR = 600, 30
"""Maximum images of each kind made per network and hour."""
FINISHED_CACHE_SECONDS, RUNNING_CACHE_SECONDS = 86_400, 60
"""Seconds for which others may cache what they got: of a finished match, and of a running one."""
EMBED_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors *"
)
"""Content Security Policy of a page within other pages: it may only be looked at."""

FRAME_WIDTH = 420
_FRAME_TEXT_HEIGHT = 250
"""Pixels of the words above and below a board within a frame."""


@pages.before_request
def use_url_language() -> None:
    """Use the language in the URL: what is shown elsewhere is the same for every reader."""
    wanted = request.args.get("lang", "")
    if wanted in LANGUAGES:
        use_language(wanted)


@pages.get("/matches/<match_id>/picture.png")
@may_use_replica
def picture(match_id: str) -> Response:
    """Return a position as an image."""
    return _still_response(match_id, "picture", lambda _match, _names, still: png(still.svg))


@pages.get("/matches/<match_id>/poster.png")
@may_use_replica
def match_poster(match_id: str) -> Response:
    """Return the image that is shown beside a link to a match."""
    return _still_response(
        match_id,
        "poster",
        lambda match, names, still: png(social_cards.match_poster(match, names, still.svg, still.caption), WIDTH),
    )


def _still_response(match_id: str, kind: str, draw: Callable[[Match, tuple[str, ...], Snapshot], bytes]) -> Response:
    wanted = _parse_wanted(request.args)
    with transaction() as ctx:
        found, names = _find_match(ctx, match_id)
        etag = animation_cache.etag(ctx, found, names, kind, wanted.step, wanted.ply, wanted.seat)
        return _not_modified(found, etag) or _png_response(
            found, etag, draw(found, names, _render_snapshot(ctx, found, names, wanted))
        )


@pages.get("/matches/<match_id>/animation.png")
@may_use_replica
def animation(match_id: str) -> Response:
    """Return a finished match as an animated image."""
    with transaction() as ctx:
        found, names = _find_match(ctx, match_id)
        if found.state != MatchState.OVER or found.seed is None:
            abort(404, description=marked("The animation is available once the match is over."))
        etag = animation_cache.etag(ctx, found, names)
        limit = throttling.per_network("animation", MAX_ANIMATIONS_PER_HOUR)
        return _not_modified(found, etag) or _png_response(
            found, etag, animation_cache.get_or_render(ctx, found, names, lambda: throttling.hit(ctx, limit))
        )


@pages.get("/matches/<match_id>/embed")
@may_use_replica
def embed(match_id: str) -> Response:
    """Show a match within a page of another site: its board at a step, and links to the others."""
    wanted = _parse_wanted(request.args)
    with transaction() as ctx:
        found, names = _find_match(ctx, match_id)
        still = _render_snapshot(ctx, found, names, wanted)
    page = render_template(
        "matches/embed.html",
        match=found,
        key=request.args.get("key"),
        seat=wanted.seat,
        game=GAMES[found.game],
        names=names,
        still=still,
        host=service().config.host,
        drawn=Markup(still.svg),  # noqa: S704 -- drawings escape the names themselves
    )
    response = Response(page)
    response.headers["Content-Security-Policy"] = EMBED_POLICY
    _set_caching(response, found)
    return response


@pages.get("/oembed")
def oembed() -> Response:
    """Return how a match is embedded in other pages, in oEmbed's format."""
    if request.args.get("format", "json") != "json":
        abort(501, description=marked("The only supported format is “json”."))
    address, _sep, query = request.args.get("url", "").partition("#")[0].partition("?")
    wanted = _parse_wanted(dict(parse_qsl(query)))
    with transaction() as ctx:
        found = ctx.session.get(
            Match, address.removesuffix("/replay").removeprefix(absolute_url("matches.match", match_id=""))
        )
        if found is None or not found.public:
            abort(404, description=marked("Only public matches can be embedded."))
        lookup.check_table(ctx, found)
        names = player_names(ctx, found)
        still = _render_snapshot(ctx, found, names, wanted)
    width, height = _frame_size(still.svg)
    return jsonify(
        version="1.0",
        type="rich",
        provider_name=_("Slow games by mail"),
        provider_url=service().config.base_url,
        title=social_cards.match_title(found, names),
        width=width,
        height=height,
        html=embed_html(found, names, still.svg, wanted),
    )


@pages.get("/rules/<game>/poster.png")
def rules_poster(game: str) -> Response:
    """Return the image that is shown beside a link to the rules of a game."""
    drawn = social_cards.rules_poster(game) if game in GAMES else None
    if drawn is None:
        abort(404, description=UNKNOWN_GAME)
    response = Response(png(drawn, WIDTH), content_type="image/png")
    response.headers["Cache-Control"] = f"public, max-age={FINISHED_CACHE_SECONDS}"
    _allow_cross_origin(response)
    response.vary.update(("Accept-Language", "Cookie"))
    return response


def share(match: Match, names: tuple[str, ...], svg: str, step: int | None = None) -> dict[str, str]:
    """Return the URLs of a match's images and, if it is public, of its frame with HTML to paste; empty for none."""
    args: dict[str, Any] = {
        "match_id": match.id,
        "key": None if match.public else share_keys.shared_key(match),
        "lang": current_locale(),
    }
    return {
        "picture": url_for("share.picture", step=step, **args),
        "animation": url_for("share.animation", **args) if match.state == MatchState.OVER else "",
        "frame": url_for("share.embed", step=step, **args) if match.public else "",
        "snippet": embed_html(match, names, svg, SnapshotRequest(step)) if match.public else "",
    }


def embed_html(match: Match, names: tuple[str, ...], svg: str, wanted: SnapshotRequest) -> str:
    """Return the HTML that embeds a match in another page."""
    width, height = _frame_size(svg)
    args = {"step": wanted.step, "ply": wanted.ply, "as": wanted.seat}
    address = absolute_url("share.embed", match_id=match.id, **args, lang=current_locale())
    frame = (
        '<iframe src="{}" title="{}" width="{}" height="{}" style="border:0;max-width:100%" loading="lazy"></iframe>'
    )
    return str(Markup(frame).format(address, social_cards.match_title(match, names), width, height))  # noqa: S704 -- ours


def _find_match(ctx: Context, match_id: str) -> tuple[Match, tuple[str, ...]]:
    """Return a match that anyone may see, or whose key the URL contains, and its players' names."""
    found = lookup.open_match(ctx, match_id)
    return found, player_names(ctx, found)


def _parse_wanted(query: Mapping[str, str]) -> SnapshotRequest:
    """Parse which position of a match to show, as which seat saw it."""
    return SnapshotRequest(
        _parse_number(query.get("step"), share_images.NO_STEP),
        _parse_number(query.get("ply"), share_images.NO_STEP),
        _parse_number(query.get("as"), share_images.NO_SEAT),
    )


def _parse_number(typed: str | None, otherwise: str) -> int | None:
    """Parse a number of a query string, if there is one; 404 if it is none."""
    if not typed:
        return None
    found = form_fields.parse_number(typed)
    if found is None:
        abort(404, description=otherwise)
    return found


def _render_snapshot(ctx: Context, match: Match, names: tuple[str, ...], wanted: SnapshotRequest) -> Snapshot:
    """Draw a position, counted under the limit of the network; 404 if there is none."""
    throttling.hit(ctx, throttling.per_network("picture", MAX_PICTURES_PER_HOUR))
    try:
        return share_images.draw(ctx, match, names, wanted)
    except SnapshotError as reason:
        abort(404, description=str(reason))


def _not_modified(match: Match, etag: str) -> Response | None:
    """Return a 304 if the reader has the image already, before anything is drawn."""
    if not request.if_none_match.contains(etag):
        return None
    response = Response(status=304)
    _set_caching(response, match, etag)
    return response


def _png_response(match: Match, etag: str, image: bytes) -> Response:
    response = Response(image, content_type="image/png")
    _set_caching(response, match, etag)
    return response


def _set_caching(response: Response, match: Match, etag: str = "") -> None:
    """Set how long and by whom a response may be cached, and allow other sites to show it."""
    _allow_cross_origin(response)
    seconds = FINISHED_CACHE_SECONDS if match.state == MatchState.OVER else RUNNING_CACHE_SECONDS
    is_public = match.public and "lang" in request.args
    response.headers["Cache-Control"] = f"{'public' if is_public else 'private'}, max-age={seconds}"
    if not is_public:
        # Otherwise the language is the reader's.
        response.vary.update(("Accept-Language", "Cookie"))
    if etag:
        response.set_etag(etag)


def _allow_cross_origin(response: Response) -> None:
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"


def _frame_size(svg: str) -> tuple[int, int]:
    """Return width and height of a frame that shows a board whole."""
    width, height = size(svg)
    return FRAME_WIDTH, _FRAME_TEXT_HEIGHT + round(FRAME_WIDTH * height / width)
