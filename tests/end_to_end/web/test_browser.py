"""The pages in a real browser, against the service as anybody runs it."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from pbem.games import GAMES
from pbem.i18n import LANGUAGES
from tests.support.live_service import token_in, until
from tests.support.service.by_link import Seen, at_turn, opened
from tests.support.web.browser import PHONE, address, narrow, open_mailbox, page, play_a_piece_at_a_time, reader, unruly

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.live_service import LiveService

__all__ = ["address", "page"]


def test_two_people_play_from_one_mailbox(page: Page) -> None:
    complaints = unruly(page)
    page.goto("/new/martian-whist")
    page.get_by_role("button", name="Start the match").click()
    page.get_by_role("link", name="Open Sam’s mailbox and accept").click()
    page.locator(".mails a").first.click()
    page.frame_locator("iframe.mail").get_by_role("link", name="Accept", exact=True).click()
    page.get_by_role("heading", name="Robin invites you to Martian Whist").wait_for()
    page.get_by_text("Make sure the deal is fair").click()
    field = page.get_by_label("Your text for the deal")
    # The page fills it once it is unfolded.
    expect(field).to_have_value(re.compile(r"^[0-9a-f]{32}$"))
    text = field.input_value()
    page.get_by_role("button", name="Accept").click()
    page.get_by_role("heading", name="You have accepted").wait_for()
    assert text in (page.text_content("main") or "")
    open_mailbox(page, "you@example.org", "It is your turn").first.click()
    page.frame_locator("iframe.mail").get_by_role("link", name="by mail").first.click()
    page.wait_for_url(re.compile("reply="))
    assert page.get_by_role("textbox", name="Reply").input_value().startswith("take ")
    page.get_by_role("button", name="Send as you@example.org").click()
    page.get_by_text("Sent. The reply arrives in a moment").wait_for()
    open_mailbox(page, "you@example.org", "Your move was played")
    open_mailbox(page, "friend@example.org", "It is your turn").first.click()
    page.frame_locator("iframe.mail").get_by_role("link", name="Choose your move").click()
    page.get_by_role("heading", name="Your turn in Martian Whist").wait_for()
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone(browser: Browser, address: str, scheme: str) -> None:
    with reader(browser, address, PHONE, color_scheme=scheme) as context:
        page = context.new_page()
        page.goto("/")
        narrow(page)
        for url in ("/new/martian-trickery", "/rules/minimax", "/rules/martian-whist", "/mailbox", "/nothing"):
            page.goto(url)
            narrow(page)
        page.goto("/")
        page.get_by_role("button", name="Play Minimax").click()
        page.wait_for_url("**/m/**")
        turn = page.url
        narrow(page)
        for summary in page.locator("summary").all():
            summary.click()
        narrow(page)
        page.goto(f"{turn}?chosen=sow+a")
        narrow(page)
        play_a_piece_at_a_time(page)
        narrow(page)
        page.get_by_role("button", name="Play this move").click()
        # While the move is being judged the page loads itself again, under whoever measures it.
        page.wait_for_url("**/m/*after=*")
        page.get_by_role("heading", name="Your turn in Minimax").wait_for()
        narrow(page)
        page.goto(turn)
        narrow(page)
        open_mailbox(page, "you@example.org")
        narrow(page)
        page.locator(".mails a").first.click()
        narrow(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_of_rules_is_wider_than_a_phone_in_any_language(browser: Browser, address: str, language: str) -> None:
    with reader(browser, address, PHONE, locale=language) as context:
        page = context.new_page()
        for game in GAMES:
            page.goto(f"/rules/{game}")
            assert page.locator("html").get_attribute("lang") == language
            narrow(page)


def test_what_is_tapped_is_large_enough(browser: Browser, address: str) -> None:
    with reader(browser, address, PHONE) as context:
        page = context.new_page()
        page.goto("/")
        page.get_by_role("button", name="Play Minimax").click()
        page.wait_for_url("**/m/**")
        page.get_by_text("Need an idea?").click()
        for place in page.locator("button, a.button, summary").all():
            box = place.bounding_box()
            assert box is not None
            assert box["height"] >= 36


def test_the_board_turns_dark_where_the_reader_wants_that(browser: Browser, address: str) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        with reader(browser, address, color_scheme=scheme) as context:
            page = context.new_page()
            page.goto("/")
            page.get_by_role("button", name="Play Minimax").click()
            page.wait_for_url("**/m/**")
            colours[scheme] = (
                page.evaluate("getComputedStyle(document.querySelector('svg rect')).fill"),
                page.evaluate("getComputedStyle(document.body).backgroundColor"),
            )
    assert colours["light"] == ("rgb(251, 248, 241)", "rgb(251, 248, 241)")
    assert colours["dark"] == ("rgb(25, 28, 27)", "rgb(25, 28, 27)")


def test_without_scripts_an_invitation_is_accepted(browser: Browser, address: str) -> None:
    with reader(browser, address, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/new/martian-whist")
        page.locator("summary").first.click()
        for who in ("1", "2"):
            page.fill(f"#name-{who}", f"Quiet {who}")
            page.fill(f"#email-{who}", f"quiet{who}@example.org")
        page.get_by_role("button", name="Start the match").first.click()
        page.get_by_role("link", name="Open Quiet 2’s mailbox and accept").click()
        page.locator(".mails a").first.click()
        page.frame_locator("iframe.mail").get_by_role("link", name="Accept", exact=True).click()
        page.get_by_role("button", name="Accept").click()
        page.get_by_text("You added no text").wait_for()


def test_it_can_all_be_done_with_the_keyboard(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    for _ in range(9):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.ariaLabel") == "Play Minimax":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your turn in Minimax").wait_for()


@pytest.mark.parametrize(
    ("game", "options", "names", "every"),
    [
        ("minimax", {}, ("Una",), 1),
        ("martian-whist", {"sets": 2}, ("Vic", "Wes"), 5),
        ("montauk", {"rounds": 1}, ("Val", "Xia"), 5),
        ("martian-trickery", {"hands": 1}, ("Yan", "Zoe", "Abe"), 5),
        ("amazonian-buffet", {}, ("Bud", "Cal"), 5),
    ],
)
def test_a_whole_match_is_played_by_link(
    page: Page, live_service: LiveService, game: str, options: dict[str, object], names: tuple[str, ...], every: int
) -> None:
    """Play one game all the way in the browser, and of the others every fifth turn, until the match is over.

    A browser shows the pages of any turn alike: a few of each stage and of each player tell what their scripts and
    styles do. The turns between are played by the same pages as `tests/service/test_by_link` plays whole matches.
    """
    complaints, moves, sitting = unruly(page), 0, dict[str, Seen]()
    match = live_service.start_match(game, options, *names)
    while live_service.ask(f"/api/matches/{match}")[1]["outcome"] is None:
        for name in names:
            turn = at_turn(live_service, match, name, sitting.get(name))
            if turn and name in sitting and moves % every == 0:
                play_in_a_browser(page, turn.path)
            elif turn:
                sitting[name] = play_by_link(turn)
            moves += turn is not None
        time.sleep(0.03)
    page.goto(f"/matches/{match}")
    page.get_by_text("The match is over.").first.wait_for()
    status, record = live_service.ask(f"/api/matches/{match}/record")
    assert (status, len(record["log"])) == (200, moves)
    assert complaints == []


def play_in_a_browser(page: Page, path: str) -> None:
    page.goto(path)
    # Beside the button of a move that looks good is a link that shows what the move would do.
    page.get_by_text("Need an idea?").click()
    page.locator(".moves a").first.click()
    page.get_by_role("button", name="Play this move").click()
    page.wait_for_url("**/m/*after=*")


def play_by_link(turn: Seen) -> Seen:
    done = opened(turn.running, turn.moves()[0], cookies=turn.cookies).press("Play this move").judged()
    assert "after=" in done.path
    return done


def test_a_waiting_player_sees_the_turn_come_and_keeps_what_they_type(page: Page, live_service: LiveService) -> None:
    complaints, names = unruly(page), ("Moe", "Ned")
    match = live_service.start_match("martian-whist", {"sets": 2}, *names)
    first, other = sorted(names, key=lambda name: not live_service.turn(name, match))
    (mail, *_) = until(lambda: live_service.turn(first, match))
    play_in_a_browser(page, f"/m/{token_in(mail)}")
    page.get_by_role("heading", name=f"It is {other}’s turn").wait_for()
    page.get_by_label("Message to all players").fill("Your turn!")
    (mail, *_) = until(lambda: live_service.turn(other, match))
    play_by_link(opened(live_service, f"/m/{token_in(mail)}"))
    page.get_by_role("heading", name="It is your turn").wait_for()
    assert page.get_by_label("Message to all players").input_value() == "Your turn!"
    page.get_by_role("link", name="Make your move").click()
    page.get_by_role("heading", name="Your turn in Martian Whist").wait_for()
    assert complaints == []


def test_the_board_itself_can_be_touched(page: Page) -> None:
    complaints = unruly(page)
    page.goto("/")
    page.get_by_role("button", name="Play Minimax").click()
    page.get_by_role("heading", name="Your turn in Minimax").wait_for()
    page.wait_for_load_state()
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    page.locator("svg [data-place].touchable").first.click()
    page.locator(".sofar", has_text=re.compile(r"Your move so far\s+sow [a-d]$")).wait_for()
    page.locator("#bar").press("1")
    page.locator(".sofar", has_text=re.compile(r"sow [a-d] \w")).or_(page.get_by_role("button", name="Play")).wait_for()
    assert loads == []
    page.go_back()
    page.locator(".sofar", has_text=re.compile(r"Your move so far\s+sow [a-d]$")).wait_for()
    assert complaints == []
