"""The pages that tell the rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.boards import rules as written
from pbem.boards.rules import rules_for, translated
from pbem.games import GAMES
from pbem.i18n import LANGUAGES, _, use_locale
from pbem.play.matches import descriptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.pages import Visitor

TOLD = ("minimax", "martian-whist", "montauk", "martian-trickery", "amazonian-buffet", "middle-card")


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest, site: Visitor) -> Iterator[str]:
    """What the visitor's browser asks for, and the test speaks."""
    site.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = request.param
    with use_locale(request.param):
        yield request.param


@pytest.mark.parametrize("game", TOLD)
def test_a_page_of_rules_has_examples_options_and_house_rules(game: str, language: str, site: Visitor) -> None:
    page, rules = site.open(f"/rules/{game}"), translated(rules_for(game))
    assert f'<html lang="{language}">' in page.html
    for number, section in enumerate(rules.sections, 1):
        assert f'<h2 id="section-{number}">{section.heading}</h2>' in page.html
        assert page.links[section.heading] == f"#section-{number}"
    assert page.status == 200
    assert page.html.count('<svg xmlns="http://www.w3.org/2000/svg" ') == len(rules.examples) >= 1
    assert page.html.count("<figcaption>") == len(rules.examples)
    assert ('<h2 id="house">' in page.html) == bool(rules.house)
    assert all(rule.split("`")[0].strip() in page.words for rule in rules.house)
    for option, values in GAMES[game].options.items():
        assert descriptions.option_question(game, option) in page.words
        assert rules.options[option] in page.words
        for value in values:
            assert re.search(rf"\b{re.escape(descriptions.option_value(game, option, value))}\b", page.words)
    assert rules.designer in page.words
    assert "`" not in page.words
    assert page.links[_("Start a match of {game}", game=GAMES[game].name)] == f"/new/{game}"
    robots = "&".join(f"sits-{seat}=robot" for seat in range(2, GAMES[game].seats[0] + 1))
    assert page.links.get(_("Play the robot"), "") == (f"/new/{game}?{robots}" if robots else "")


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("game", TOLD)
def test_a_page_of_rules_is_sound_and_small(game: str, site: Visitor) -> None:
    html = site.open(f"/rules/{game}").html
    bare = re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)
    assert len(bare.encode()) <= 60_000
    headings = re.findall(r"<h([1-6])[^>]*>([^<]+)</h\1>", bare)
    assert len(headings) == len(re.findall("<h[1-6]", bare))
    assert headings[0] == ("1", GAMES[game].name)
    assert {level for level, _ in headings[1:]} == {"2"}
    assert len({name for _, name in headings}) == len(headings)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'<use href="#([^"]+)"', html)) <= set(ids)


def test_a_game_without_written_rules_tells_how_it_is_played_in_short(
    site: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(written._rules_by_game(), "middle-card")
    page = site.open("/rules/middle-card")
    assert page.status == 200
    assert "Each mail and turn page says what you can do now" in page.words
    assert "House rule" not in page.words


@pytest.mark.parametrize("game", ["minimax", "middle-card"])
def test_the_way_from_a_match_to_its_rules(game: str, site: Visitor) -> None:
    assert f"/rules/{game}" in site.open(f"/new/{game}").links.values()


def test_every_page_of_a_match_leads_to_its_rules(site: Visitor) -> None:
    turn = site.open("/").press("Play now")
    assert 'href="/rules/minimax"' in turn.html
    match = turn.follow("Match page")
    assert match.links["How Minimax is played"] == "/rules/minimax"
    turn.follow("Resign").press("Yes, resign")
    over = site.open(turn.url)
    assert "the match is over" in over.html
    assert over.links["The rules of Minimax"] == "/rules/minimax"
