"""A seat's page by an earlier link, which leads nowhere; what it shows to whom; and giving up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.states import MatchState
from tests.support.snapshots import COUNTED, snapshot
from tests.support.web.account.sign_in import sign_in
from tests.support.web.seat.turn import log, present, turn
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


# -- an earlier link -------------------------------------------------------------------------------


def test_an_earlier_link_shows_what_happened_since_and_mails_a_fresh_one(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    old = turn(site, local)
    old.follow("take 7").press("Play this move")
    turn(site, local, "Bob").follow("take 8").press("Play this move")
    local.mails("Ann")
    page = site.open(old.url)
    assert "This turn has been played" in page.words
    assert "Ann took the" in page.words
    assert "Bob took the" in page.words
    assert "ann@example.org" not in page.html
    assert page.html.count("/m/") == page.html.count(old.url)
    assert "A mail is on its way" in page.press("Mail me a fresh link").words
    assert "Your turn in Martian Whist" in site.open(f"/m/{local.only('Ann').token}").words


def test_who_is_signed_in_as_its_player_has_the_present_turn_at_every_link_of_theirs(
    site: Visitor, local: House
) -> None:
    local.start_match("martian-whist", 2)
    old = turn(site, local)
    old.follow("take 7").press("Play this move")
    turn(site, local, "Bob").follow("take 8").press("Play this move")
    ann, bob = visitor(local, keeps=True), visitor(local, keeps=True)
    sign_in(local, ann, "Ann")
    sign_in(local, bob, "Bob")
    before = snapshot(local, COUNTED)
    assert "This turn has been played" in bob.open(old.url).words
    page = ann.open(old.url)
    assert "Your turn in Martian Whist" in page.words
    after = snapshot(local, COUNTED)
    # Looking issues no link.
    assert before["tokens"] == after["tokens"]
    assert "It is Bob’s turn" in ann.open(f"{old.url}?move=take+1").press("Play this move").words


def test_fresh_links_are_mailed_once_a_minute_at_the_most(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    earlier = turn(site, local).url
    site.open(f"{earlier}?move=take+1").press("Play this move")
    local.mails("Ann")
    page = site.open(earlier)
    old = page.press("Mail me a fresh link", nonce="x")
    assert old.status == 400
    for _ in range(5):
        assert page.press("Mail me a fresh link").status == 200
    # Five within one minute, or on both sides of a full one.
    assert 1 <= len(local.mails("Ann")) <= 2


def test_who_is_not_to_move_yet_is_told_whose_turn_it_is(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = present(site, local, match_id, "Bob")
    assert "It is Ann’s turn." in page.words
    assert "You will get a mail when it is your turn." in page.words
    assert "Resign" in page.links


def test_an_earlier_link_of_a_match_that_is_over_shows_the_end(returning: Visitor, site: Visitor, local: House) -> None:
    match_id = local.start_match("minimax", 1)
    old = turn(returning, local)
    over = old.follow("Preview").press("Play this move").follow("Resign").press("Yes, resign")
    assert log(local, match_id)[-1] == "resigned"
    assert "is over" in site.open(old.url).words
    assert "Play once more" not in site.open(old.url).words
    # By whatever way its player comes, the page is the same one.
    own = returning.open(old.url)
    assert "Play once more" in [form.button for form in own.forms]
    for other in (over, returning.open(f"/matches/{match_id}/own"), returning.open(f"/m/{local.last('Ann').token}")):
        assert other.words == own.words


def test_an_old_link_and_other_seats_see_no_hidden_cards(returning: Visitor, site: Visitor, local: House) -> None:
    match_id = local.start_match("middle-card", 3)
    ann = turn(site, local)
    hand = {move.split()[-1] for move in local.legal(match_id, 1) if move != "stay"}
    assert all(f'"{card}"' in ann.html or card in ann.words for card in hand)
    played = returning.open(f"{ann.url}?move=stay").press("Play this move")
    public = site.open(f"/matches/{match_id}")
    old = site.open(ann.url)
    assert boards(old) == boards(public)
    assert boards(played) != boards(public)


def test_a_move_that_uncovers_something_is_not_looked_at_before(site: Visitor, local: House) -> None:
    match_id = local.start_match("middle-card", 3)
    swap = next(move for move in local.legal(match_id, 1) if move.startswith("swap"))
    page = site.open(f"{turn(site, local).url}?move={swap}")
    assert "known only after the move" in page.words
    assert "<svg" not in page.html
    assert "Your move was played" in page.press("Play this move").words


def test_a_sealed_move_is_previewed_for_its_own_seat(site: Visitor, local: House) -> None:
    match_id = local.start_match("middle-card", 3)
    site.open(f"{turn(site, local).url}?move=stay").press("Play this move")
    bob = turn(site, local, "Bob")
    card = local.legal(match_id, 2)[0]
    site.open(f"{bob.url}?move={card}").press("Play this move")
    ann = turn(site, local)
    page = site.open(f"{ann.url}?move={local.legal(match_id, 1)[0]}")
    assert "Once it is played, the history will say: You" in page.words
    assert "The board would look like this:" in page.words
    assert "Bob" not in page.words.partition("Preview")[2].partition("The board as text")[0]


def test_who_has_sealed_a_move_sees_their_own_side_by_its_link_until_the_stage_is_over(
    site: Visitor, local: House
) -> None:
    match_id = local.start_match("middle-card", 3)
    site.open(f"{turn(site, local).url}?move=stay").press("Play this move")
    ann, bob, cyd = (turn(site, local, name) for name in ("Ann", "Bob", "Cyd"))
    played = site.open(f"{ann.url}?move={local.legal(match_id, 1)[0]}").press("Play this move")
    own, public = site.open(ann.url), site.open(f"/matches/{match_id}")
    assert boards(own) == boards(played)
    assert len({boards(own), boards(public), boards(site.open(bob.url))}) == 3
    for seat, page in ((2, bob), (3, cyd)):
        site.open(f"{page.url}?move={local.legal(match_id, seat)[0]}").press("Play this move")
    assert boards(site.open(ann.url)) == boards(site.open(f"/matches/{match_id}"))


def boards(page: Page) -> str:
    return page.html.partition("<pre")[2].partition("</pre>")[0]


# -- giving up -------------------------------------------------------------------------------------


def test_resigning_asks_once_more(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).follow("Resign")
    assert "Resign?" in page.words
    assert page.press("Yes, resign", nonce="").status == 400
    assert log(local, match_id) == []
    page = page.press("Yes, resign")
    assert "over by resignation. Bob has won" in page.words
    assert log(local, match_id) == ["resigned"]


def test_a_link_of_an_earlier_turn_does_not_resign(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    old = turn(site, local)
    asked = old.follow("Resign")
    old.follow("take 7").press("Play this move")
    assert "You cannot resign with this link" in site.open(f"{old.url}/resign").words
    asked.press("Yes, resign")
    assert log(local, match_id) == ["take 7"]
    assert local.match(match_id).state == MatchState.RUNNING
