"""The page of a replay: any step by its address, as far as its reader may know it, with what is said of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Comment, Match, Mute, Player, SeatHolder
from pbem.games import Seat
from pbem.games.record_text import parse_text
from pbem.play.accounts import data_export, deletion
from pbem.play.archive import comments, records
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import endings
from pbem.play.matches import share_keys
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.matches.seats import holders
from pbem.play.offers import takebacks
from tests.support.rematching import signed_in
from tests.support.web.matches.replay import finished, play
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

BACK = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK} Back"
NEXT = "Next \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
SMALL = 40_000
"""So many bytes at the most beside the pictures, styles and scripts."""


def board(page: Page) -> str:
    found = re.search(r'<figure class="board">.*?</figure>', page.html, re.DOTALL)
    assert found
    return found[0]


def test_a_finished_match_is_walked_by_links_alone(site: Visitor, local: House) -> None:
    match_id = finished(local)
    page = site.open(f"/matches/{match_id}").follow("Watch the replay")
    assert "Nothing has been played yet." in page.words
    seen = [board(page)]
    for number in (1, 2):
        page = page.follow(NEXT)
        assert f"Step {number} of 5" in page.words
        seen.append(board(page))
    assert len(set(seen)) == 3
    assert board(page.follow(BACK)) == seen[1]
    assert board(page.follow("« First")) == seen[0]
    last = page.follow("Last »")
    assert "Ann resigns." in last.words
    assert "Bob has won." in last.words
    assert "Step 5 of 5" in last.follow(NEXT).words
    assert "Legal moves" in page.words
    assert "Legal moves" not in last.words


@pytest.mark.parametrize(
    ("asked", "number"), [("step=2", 2), ("ply=2", 2), ("ply=99", 5), ("step=99", 5), ("step=x", 0), ("ply=²", 0)]
)
def test_an_address_leads_to_a_step(site: Visitor, local: House, asked: str, number: int) -> None:
    match_id = finished(local)
    assert f"Step {number} of 5" in site.open(f"/matches/{match_id}/replay?{asked}").words


def test_a_step_alone_is_the_step_of_the_page(site: Visitor, local: House) -> None:
    match_id = finished(local)
    page = site.open(f"/matches/{match_id}/replay?step=3&as=2")
    part = site.open(f"/matches/{match_id}/replay/step?step=3&as=2")
    assert "<html" not in part.html
    assert part.html.strip() in page.html


def test_hands_are_open_or_as_a_seat_saw_them(site: Visitor, local: House) -> None:
    match_id = finished(local, moves=1)
    opened = site.open(f"/matches/{match_id}/replay?step=1")
    mine = opened.follow("As Ann saw it")
    theirs = mine.follow("As Bob saw it")
    assert len({board(page) for page in (opened, mine, theirs)}) == 3
    assert board(theirs.follow("All hands open")) == board(opened)
    assert board(site.open(f"/matches/{match_id}/replay?step=1&as=7")) == board(opened)
    assert "as=2" in theirs.follow(NEXT).url
    assert "All hands open" not in site.open(f"/matches/{finished(local, 'martian-whist', sets=2)}/replay").words


def test_a_running_match_shows_others_what_is_open_to_all_and_its_own_seat_more(site: Visitor, local: House) -> None:
    match_id = local.start_match("montauk", 2, {"rounds": 1})
    play(local, match_id, 1)
    mover = local.match(match_id).to_move[0]
    newest = {name: local.mails(name)[-1].token for name in ("Ann", "Bob")}
    name = ("Ann", "Bob")[mover - 1]
    public = site.open(f"/matches/{match_id}").follow("Replay the match so far")
    assert "as everybody may see them" in public.words
    assert "Step 1 of 1" in public.words
    assert board(site.open(f"/matches/{match_id}/replay?as={mover}")) == board(public)
    own = site.open(f"/m/{newest[name]}").follow("Replay the match so far")
    assert "as you may see them" in own.words
    assert board(own) != board(public)
    assert "Legal moves" in own.words
    assert "<html" not in site.open(f"/m/{newest[name]}/replay/step?step=1").html
    # So does the link of a seat that is not to move yet; one of a turn that is over does not.
    other = site.open(f"/m/{newest['Bob' if name == 'Ann' else 'Ann']}/replay")
    assert board(other) not in {board(public), board(own)}
    mail = next(one for one in reversed(local.every_mail) if one.name == name)
    local.reply(mail, local.legal(match_id, mover)[0])
    public = site.open(f"/matches/{match_id}/replay?step=2")
    assert board(site.open(f"/m/{newest[name]}/replay?step=2")) == board(public)
    assert own.follow("Back to the match").status == 200


def test_what_has_not_begun_or_is_private_has_no_replay_for_others(site: Visitor, local: House) -> None:
    waiting = local.make("montauk", 2)
    assert site.open(f"/matches/{waiting}/replay").url == f"/matches/{waiting}"
    invited = local.last("Ann").token
    assert "/invitation/" in site.open(f"/m/{invited}/replay").url
    match_id = finished(local)
    with local.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(public=False))
    assert site.open(f"/matches/{match_id}/replay").status == 404
    key = share_keys.shared_key(local.match(match_id))
    page = site.open(f"/matches/{match_id}/replay?key={key}")
    assert f"key={key}" in page.follow(NEXT).url
    assert page.follow("Match page").status == 200


def test_what_was_taken_back_is_struck_through(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2, {"sets": 2})
    play(local, match_id, 2)
    with local.transaction() as ctx:
        takebacks.apply(ctx, lock_match(ctx, match_id), 2, "table")
    page = site.open(f"/matches/{match_id}/replay")
    assert "All moves from move 2 on are taken back." in page.words
    assert "Moves struck through were taken back." in page.words
    assert page.html.count("<s>") == 1


# -- what is said of it ----------------------------------------------------------------------------------


def test_who_sat_there_comments_and_takes_it_back(site: Visitor, local: House) -> None:
    match_id = finished(local)
    link = local.last("Ann").token
    page = site.open(f"/m/{link}/replay?step=2")
    page = page.press("Add comment", words="Here I should have waited. <b>www.example.org</b>")
    assert "step=2" in page.url
    page.press("Add comment", words="Here I should have waited. <b>www.example.org</b>")
    assert local.all(select(Comment.text)) == ["Here I should have waited. <b>www. example. org</b>"]
    public = site.open(f"/matches/{match_id}/replay?step=2")
    assert "Here I should have waited." in public.words
    assert "(one comment)" in public.words
    assert "<b>www" not in public.html
    assert "Add comment" not in public.words
    assert "Here I" not in public.follow(NEXT).words
    theirs = site.open(f"/m/{local.last('Bob').token}/replay?step=2")
    assert "Report Ann" in theirs.words
    assert "Delete this comment" not in theirs.words
    written = site.client.get(f"/matches/{match_id}/record.txt").text
    assert "{ Ann: Here I should have waited. <b>www. example. org</b> }" in " ".join(written.split())
    with local.transaction() as ctx:
        assert parse_text(written) == records.build_record(ctx, ctx.session.get_one(Match, match_id))
    gone = page.press("Delete this comment")
    assert "Here I" not in gone.words
    assert local.all(select(Comment.text)) == []


def test_who_is_signed_in_comments_without_a_link(local: House) -> None:
    match_id = finished(local)
    bob = signed_in(local, "Bob")
    bob.open(f"/matches/{match_id}/replay?step=1").press("Add comment", words="Well led.")
    assert local.all(select(Comment.text)) == ["Well led."]
    cyd = signed_in(local, "Cyd")
    page = cyd.open(f"/matches/{match_id}/replay?step=1")
    assert "Well led." in page.words
    assert "Add comment" not in page.words
    cyd.client.post(f"/matches/{match_id}/replay/comment", data={"step": "1", "words": "Me too"})
    assert len(local.all(select(Comment.id))) == 1


def test_comments_that_are_not_kept(site: Visitor, local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = finished(local)
    link = local.last("Ann").token
    page = site.open(f"/m/{link}/replay?step=1")
    form = page.form("Add comment")
    old = site.send(form, {**form.fields, "words": "Kept", "nonce": "x"})
    assert old.status == 400
    assert 'value="Kept"' in old.html
    for fields in ({"words": "  "}, {"words": "x", "step": "99"}, {"words": "x", "step": "z"}):
        site.send(form, {**form.fields, **fields})
    assert local.all(select(Comment.id)) == []
    monkeypatch.setattr(comments, "MAX_PER_STEP", 1)
    page.press("Add comment", words="One")
    full = page.press("Add comment", words="Two")
    assert full.status == 422
    assert comments.STEP_FULL in full.words
    assert match_id


def test_running_matches_are_talked_about_at_the_table(local: House) -> None:
    match_id = local.start_match("montauk", 2, {"rounds": 1})
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        with pytest.raises(Refused, match="over"):
            comments.add(ctx, match, holders(ctx, match)[0], 0, "Hm")
        assert comments.find_author_seat(ctx, match, None) is None


def test_comments_are_limited(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = finished(local)
    monkeypatch.setattr(comments, "hit", lambda *_: True)
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        with pytest.raises(Refused, match="tomorrow"):
            comments.add(ctx, match, holders(ctx, match)[0], 0, "Hm")


def test_muted_words_and_strangers_talk_are_not_shown(site: Visitor, local: House) -> None:
    match_id = local.start_match("montauk", 2, {"rounds": 1})
    tokens = {name: local.last(name).token for name in ("Ann", "Bob")}
    site.open(f"/m/{tokens['Ann']}/talk").press("Send", words="Good luck!")
    play(local, match_id, 1)
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        ann, bob = holders(ctx, match)
        endings.resign(ctx, load_match(ctx, match), ann)
        comments.add(ctx, match, ann, 0, "Bad luck.")
    theirs = site.open(f"/m/{local.last('Bob').token}/replay")
    assert "Chat at this step" in theirs.words
    assert "Good luck!" in theirs.words
    assert "Bad luck." in theirs.words
    assert "Good luck!" not in theirs.follow("Last »").words
    public = site.open(f"/matches/{match_id}/replay")
    assert "Good luck!" not in public.words
    assert "Good luck!" not in site.open(f"/m/{tokens['Bob']}/replay").words
    with local.transaction() as ctx:
        row = {"player_id": bob.player_id, "muted_id": ann.player_id, "muted_at": ctx.now}
        ctx.session.execute(Mute.__table__.insert().values(row))  # type: ignore[attr-defined]
    quiet = site.open(theirs.url)
    assert "Good luck!" not in quiet.words
    assert "Bad luck." not in quiet.words


def test_who_was_replaced_reads_no_talk(local: House) -> None:
    match_id = finished(local)
    with local.transaction() as ctx:
        leaving = update(SeatHolder).where(SeatHolder.match_id == match_id, SeatHolder.seat == 2)
        ctx.session.execute(leaving.values(left_at=ctx.now))
    bob = signed_in(local, "Bob")
    assert bob.open(f"/matches/{match_id}/replay").status == 200


def test_comments_are_taken_along_and_forgotten(local: House) -> None:
    match_id = finished(local)
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        ann, bob = holders(ctx, match)
        comments.add(ctx, match, ann, 1, "Hers.")
        comments.add(ctx, match, bob, 1, "Mine.")
        data = data_export.build(ctx, bob.player_id)
    assert [one["text"] for one in data["commented"]] == ["Mine."]
    with local.transaction() as ctx:
        deletion.delete(ctx, ctx.session.get_one(Player, bob.player_id))
    assert local.all(select(Comment.text)) == ["Hers."]


def test_a_long_match_is_a_small_page(local: House) -> None:
    match_id = local.start_match("martian-trickery", 3)
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        course = load_match(ctx, match)
        while course.match.to_move:
            seat = Seat(course.match.to_move[0])
            course = play_move(ctx, course, seat, next(course.game.moves(course.position, seat)), ctx.now)
        match.state, match.result = "over", {"scores": None, "winners": [], "ending": "finished"}
    page = visitor(local).open(f"/matches/{match_id}/replay?step=100")
    plain = re.sub(r"<svg.*?</svg>", "", page.html, flags=re.DOTALL)
    assert f"Step 100 of {len(course.log)}" in page.words
    assert len(plain) < SMALL
