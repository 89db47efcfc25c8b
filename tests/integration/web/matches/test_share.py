"""Pictures of matches for people elsewhere: as much as they may see, the same for all, and made only once."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import pytest
from PIL import Image
from sqlalchemy import select, update

from pbem.boards import Turn, drawing_for
from pbem.boards.poster import HEIGHT, WIDTH
from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Animation, Match, SeatHolder
from pbem.games import GAMES, Eye
from pbem.pictures.png import png
from pbem.play.matches import share_keys
from pbem.play.matches.views import player_names, view_for
from pbem.states import MatchState
from pbem.web.matches.share import MAX_ANIMATIONS_PER_HOUR
from tests.support.examples import few
from tests.support.play.secrecy import exchanged
from tests.support.web.matches.share import end, played
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.support.house import House
    from tests.support.pages import Page, Visitor

OURS = "http://127.0.0.1:8000"
META = re.compile(r'<meta (?:property|name)="([a-z_:]+)" content="([^"]*)">')


def hide(house: House, match_id: str) -> str:
    """Create a private match; return what opens it once it is over."""
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).values(public=False))
        return share_keys.shared_key(ctx.session.get_one(Match, match_id))


def ask(site: Visitor, path: str, **headers: str) -> TestResponse:
    return site.client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def image(answer: TestResponse) -> Image.Image:
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "image/png"
    return Image.open(io.BytesIO(answer.data))


def said(page: Page) -> dict[str, str]:
    """Return what a page says of itself to those who show links to it."""
    return {name: unescape(value) for name, value in META.findall(page.html) if name.startswith(("og", "twitter"))}


# -- a position ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [*few(GAMES, 3)])
def test_every_game_has_pictures_from_its_deal_to_its_end(site: Visitor, local: House, game: str) -> None:
    match_id = played(local, game, GAMES[game].seats[0])
    present = image(ask(site, f"/matches/{match_id}/picture.png"))
    end(local, match_id)
    last = local.match(match_id).log_length
    pictures = [ask(site, f"/matches/{match_id}/picture.png?step={step}") for step in (0, last)]
    assert [image(one).width for one in pictures] == [600, 600]
    assert present.width == 600
    assert ask(site, f"/matches/{match_id}/picture.png").data == pictures[1].data
    assert image(ask(site, f"/matches/{match_id}/poster.png")).size == (WIDTH, HEIGHT)
    assert image(ask(site, f"/matches/{match_id}/animation.png")).width == 480


def test_a_ply_is_the_step_that_played_it(site: Visitor, local: House) -> None:
    match_id = played(local)
    first = ask(site, f"/matches/{match_id}/picture.png?ply=1").data
    assert first == ask(site, f"/matches/{match_id}/picture.png?step=1").data
    assert first != ask(site, f"/matches/{match_id}/picture.png?step=0").data


@pytest.mark.parametrize(("game", "seats"), [("martian-trickery", 3), ("montauk", 2), ("middle-card", 3)])
def test_a_picture_of_a_running_match_depends_on_nothing_hidden(
    site: Visitor, local: House, game: str, seats: int
) -> None:
    match_id = played(local, game, seats)
    with local.course(match_id) as (table, course):
        names, other = player_names(table, course.match), exchanged(course, Eye.PUBLIC)
        assert other.position != course.position
        assert course.match.state == MatchState.RUNNING
        view = view_for(other, Eye.PUBLIC)
        svg = drawing_for(game).svg(view.board, names, turn=Turn(view.to_move, view.log))
    assert ask(site, f"/matches/{match_id}/picture.png").data == png(svg)
    assert svg in ask(site, f"/matches/{match_id}/embed").text


def test_all_hands_are_open_when_it_is_over_and_a_seat_shows_what_it_saw(site: Visitor, local: House) -> None:
    match_id = played(local, "martian-trickery", 3)
    hidden = ask(site, f"/matches/{match_id}/picture.png?step=1").data
    refused = site.open(f"/matches/{match_id}/picture.png?as=1")
    assert refused.status == 404
    assert "What a player has seen is visible to others when the match is over." in refused.words
    end(local, match_id)
    opened, seen = (ask(site, f"/matches/{match_id}/picture.png?step=1{more}").data for more in ("", "&as=1"))
    assert len({hidden, opened, seen}) == 3


def test_what_there_is_not_is_said_in_a_sentence(site: Visitor, local: House) -> None:
    match_id = played(local, moves=1)
    for asked in ("step=99", "step=-1", "step=x", "step=99999999999", "ply=99", "ply=1e1", "as=0", "as=3"):
        page = site.open(f"/matches/{match_id}/picture.png?{asked}")
        assert page.status == 404
        assert f"This match has no such {'seat' if asked.startswith('as') else 'step'}." in page.words
    for end_of in ("poster.png", "embed"):
        assert site.open(f"/matches/{match_id}/{end_of}?step=99").status == 404


def test_before_it_begins_there_is_nothing_to_be_drawn(site: Visitor, local: House) -> None:
    match_id = local.make("martian-whist", 2, creator=1)
    for drawn in ("picture.png", "poster.png", "embed"):
        page = site.open(f"/matches/{match_id}/{drawn}")
        assert page.status == 404
        assert "This match has not started, so there is no position to draw yet." in page.words
    assert said(site.open(f"/matches/{match_id}"))["twitter:card"] == "summary"


def test_private_and_unknown_matches_have_no_pictures(site: Visitor, local: House) -> None:
    match_id = played(local)
    key = hide(local, match_id)
    for end_of in ("picture.png", "poster.png", "animation.png", "embed"):
        private, unknown = site.open(f"/matches/{match_id}/{end_of}"), site.open(f"/matches/nothing/{end_of}")
        assert private.status == unknown.status == 404
        assert private.html == unknown.html
        assert site.open(f"/matches/{match_id}/{end_of}?key={key}").status == 404
    end(local, match_id)
    for end_of in ("picture.png", "poster.png", "animation.png", "embed"):
        assert site.open(f"/matches/{match_id}/{end_of}").status == 404
        answer = ask(site, f"/matches/{match_id}/{end_of}?key={key}&lang=en")
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"].startswith("private")
    page = site.open(f"/matches/{match_id}?key={key}")
    assert said(page) == {}
    assert "<iframe" not in unescape(page.html)
    assert image(ask(site, page.links["Picture of this position"])).width == 600
    assert image(ask(site, page.links["Animation of the match"])).width == 480


def test_what_is_known_is_not_sent_again(site: Visitor, local: House) -> None:
    match_id = played(local)
    path = f"/matches/{match_id}/picture.png?lang=en"
    first = ask(site, path)
    known = {"If_None_Match": first.headers["ETag"]}
    assert first.headers["Cache-Control"] == "public, max-age=60"
    assert "Cookie" not in first.headers.get("Vary", "")
    assert ask(site, path, **known).status_code == 304
    assert ask(site, f"{path}&step=0", **known).status_code == 200
    end(local, match_id)
    over = ask(site, path, **known)
    assert over.status_code == 200
    assert over.headers["Cache-Control"] == "public, max-age=86400"
    for end_of in ("poster.png", "animation.png"):
        again = {"If_None_Match": ask(site, f"/matches/{match_id}/{end_of}").headers["ETag"]}
        assert ask(site, f"/matches/{match_id}/{end_of}", **again).status_code == 304
    head = site.client.head(path)
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == over.headers["ETag"]


def test_it_is_in_the_language_that_its_address_asks_for(site: Visitor, local: House) -> None:
    match_id = played(local, "minimax", 1, 2)
    path = f"/matches/{match_id}/picture.png"
    german = ask(site, f"{path}?lang=de", Accept_Language="en")
    assert german.data != ask(site, f"{path}?lang=en", Accept_Language="de").data
    assert german.data == ask(site, path, Accept_Language="de").data
    assert german.data != ask(site, f"{path}?lang=xx").data
    private = ask(site, path, Accept_Language="de")
    assert {*private.headers["Vary"].split(", ")} >= {"Accept-Language", "Cookie"}
    assert private.headers["Cache-Control"].startswith("private")


def test_pictures_are_drawn_only_so_often_for_one_network(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = played(local)
    end(local, match_id)
    monkeypatch.setattr("pbem.web.matches.share.MAX_PICTURES_PER_HOUR", 2)
    monkeypatch.setattr("pbem.web.matches.share.MAX_ANIMATIONS_PER_HOUR", 1)
    site = visitor(replace(local, config=replace(local.config, limits=DEFAULT_RATE_LIMITS)))
    statuses = [ask(site, f"/matches/{match_id}/picture.png?step={step}").status_code for step in range(3)]
    assert statuses == [200, 200, 429]
    assert ask(site, f"/matches/{match_id}/animation.png?lang=de").status_code == 200
    assert ask(site, f"/matches/{match_id}/animation.png?lang=en").status_code == 429
    # What is there already is given to anybody, and nothing is kept of what was refused.
    assert ask(site, f"/matches/{match_id}/animation.png?lang=de").status_code == 200
    assert local.all(select(Animation.language)) == ["de"]
    assert MAX_ANIMATIONS_PER_HOUR > 1


# -- a match that moves -------------------------------------------------------------------------------


def test_it_moves_when_it_is_over(site: Visitor, local: House) -> None:
    match_id = played(local)
    early = site.open(f"/matches/{match_id}/animation.png")
    assert early.status == 404
    assert "The animation is available once the match is over." in early.words
    assert "Animation of the match" not in site.open(f"/matches/{match_id}").links
    end(local, match_id)
    moving = image(ask(site, site.open(f"/matches/{match_id}").links["Animation of the match"]))
    assert getattr(moving, "is_animated", False)
    boards = 1 + local.match(match_id).next_ply - 1
    # The end is another picture: it is nobody's turn any more.
    assert getattr(moving, "n_frames", 0) == boards + 2


def test_it_is_made_once_until_something_on_it_changes(site: Visitor, local: House) -> None:
    match_id = played(local)
    end(local, match_id)
    path = f"/matches/{match_id}/animation.png"
    first = ask(site, path)
    with local.transaction() as ctx:
        ctx.session.execute(update(Animation).values(data=b"as it was made"))
    assert ask(site, path).data == b"as it was made"
    with local.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).where(SeatHolder.seat == 1).values(name="Someone"))
    renamed = ask(site, path, If_None_Match=first.headers["ETag"])
    assert renamed.status_code == 200
    assert image(renamed).width == 480
    assert renamed.data != first.data
    assert local.all(select(Animation.data)) == [renamed.data]


# -- within other pages -------------------------------------------------------------------------------


def test_the_frame_goes_from_step_to_step_and_to_the_whole_match(site: Visitor, local: House) -> None:
    match_id = played(local)
    end(local, match_id)
    last = local.match(match_id).log_length
    page = site.open(f"/matches/{match_id}/embed?step=0&lang=de")
    assert page.forms == []
    assert "Set-Cookie" not in page.response.headers
    assert f"0/{last}" in page.words
    assert f"1/{last}" in page.follow("Weiter").words
    final = page.follow("Ende")
    assert f"{last}/{last}" in final.words
    assert "Weiter" not in final.links
    assert f"{last - 1}/{last}" in final.follow("Zurück").words
    assert page.links["Die ganze Partie auf 127.0.0.1"] == f"/matches/{match_id}/replay?step=0"


def test_only_the_frame_may_stand_in_other_pages(site: Visitor, local: House) -> None:
    match_id = played(local)
    policies = {
        path: ask(site, path).headers["Content-Security-Policy"]
        for path in (f"/matches/{match_id}", f"/matches/{match_id}/embed", f"/matches/{match_id}/picture.png", "/")
    }
    assert [path for path, policy in policies.items() if "frame-ancestors *" in policy] == [
        f"/matches/{match_id}/embed"
    ]
    assert "script-src" not in policies[f"/matches/{match_id}/embed"]
    assert "form-action 'none'" in policies[f"/matches/{match_id}/embed"]


def test_the_page_of_a_match_gives_what_is_to_be_pasted(site: Visitor, local: House) -> None:
    match_id = played(local)
    with local.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).where(SeatHolder.seat == 1).values(name='A"><script>'))
    page = site.open(f"/matches/{match_id}")
    (frame,) = re.findall(r"<code>(&lt;iframe.*)</code>", page.html)
    pasted = unescape(frame)
    assert pasted.startswith(f'<iframe src="{OURS}/matches/{match_id}/embed?lang=en" title="Martian Whist: A&#34;&gt;')
    assert "<script" not in pasted
    known = ask(site, "/oembed?" + urlencode({"url": f"{OURS}/matches/{match_id}/replay?step=1", "format": "json"}))
    assert known.json is not None
    assert known.json["type"] == "rich"
    assert f"/matches/{match_id}/embed?step=1&amp;lang=en" in known.json["html"]
    assert known.json["width"] < known.json["height"]
    by_ply = ask(site, "/oembed?" + urlencode({"url": f"{OURS}/matches/{match_id}/replay?ply=1"}))
    assert by_ply.json is not None
    assert f"/matches/{match_id}/embed?ply=1&amp;lang=en" in by_ply.json["html"]
    ahead = {"url": f"{OURS}/matches/{match_id}/replay?ply=999"}
    assert ask(site, "/oembed?" + urlencode(ahead)).status_code == 404


def test_only_public_matches_are_told_to_programs(site: Visitor, local: House) -> None:
    match_id = played(local)
    good = {"url": f"{OURS}/matches/{match_id}"}
    assert ask(site, "/oembed?" + urlencode(good)).status_code == 200
    assert ask(site, "/oembed?" + urlencode(good | {"format": "xml"})).status_code == 501
    for url in (
        "",
        "nonsense",
        f"https://elsewhere.example/matches/{match_id}",
        f"{OURS}/matches/",
        "http://[",
        f"{OURS}/x",
    ):
        assert ask(site, "/oembed?" + urlencode({"url": url})).status_code == 404
    hide(local, match_id)
    assert ask(site, "/oembed?" + urlencode(good)).status_code == 404


# -- links --------------------------------------------------------------------------------------------


def test_a_link_to_a_match_shows_how_it_stands(site: Visitor, local: House) -> None:
    match_id = played(local)
    running = said(site.open(f"/matches/{match_id}"))
    assert running["og:title"] == "Martian Whist: Ann and Bob"
    assert running["og:description"] in {"It is Ann’s turn.", "It is Bob’s turn."}
    assert running["og:url"] == f"{OURS}/matches/{match_id}"
    picture = urlsplit(running["og:image"])
    assert image(ask(site, f"{picture.path}?{picture.query}")).size == (WIDTH, HEIGHT)
    assert running["twitter:card"] == "summary_large_image"
    assert running["og:image:alt"]
    end(local, match_id)
    assert said(site.open(f"/matches/{match_id}"))["og:description"].startswith("The match is over by resignation.")


def test_a_link_to_a_step_of_a_replay_shows_that_step(site: Visitor, local: House) -> None:
    match_id = played(local)
    page = site.open(f"/matches/{match_id}/replay?step=1")
    found = said(page)
    assert found["og:url"] == f"{OURS}/matches/{match_id}/replay?step=1"
    assert found["og:description"].startswith("Ann took")
    assert "step=1" in found["og:image"]
    assert "/embed?step=1&" in unescape(unescape(page.html))
    assert image(ask(site, page.links["Picture of this position"])).width == 600
    assert said(site.open(f"/matches/{match_id}/replay?step=0"))["og:description"] == "The deal."
    end(local, match_id)
    assert said(site.open(f"/matches/{match_id}/replay?step=1&as=1")) == {}


@pytest.mark.parametrize("game", GAMES)
def test_a_link_to_rules_shows_a_board_where_they_have_one(site: Visitor, game: str) -> None:
    found = said(site.open(f"/rules/{game}"))
    assert found["og:title"] == f"{GAMES[game].name}: the rules"
    assert found["og:url"] == f"{OURS}/rules/{game}"
    assert found["og:description"]
    picture = ask(site, f"/rules/{game}/poster.png")
    if "og:image" in found:
        assert image(picture).size == (WIDTH, HEIGHT)
    else:
        assert picture.status_code == 404


def test_the_rules_of_no_game_have_no_picture(site: Visitor) -> None:
    assert ask(site, "/rules/nothing/poster.png").status_code == 404


def test_a_seats_own_pages_show_nothing_elsewhere(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    token = local.last("Ann").token
    for path in (f"/m/{token}", f"/m/{token}/replay"):
        page = site.open(path)
        assert page.status == 200
        assert said(page) == {}
        assert page.response.headers["X-Robots-Tag"] == "noindex"
        assert "<iframe" not in unescape(page.html)
