"""What an inbox shows of a mail, its subject and first sentence, tells nothing that only its reader may know."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from emails.content.html import render_html
from emails.content.plain_text import render_text
from emails.messages import MessageContext, build_content, message_kinds
from emails.parsing import html_text
from pbem.games import GAMES, Eye, Seat
from pbem.play.notifications.outbox import view_facts
from tests.support.examples import examples
from tests.support.play.matches.mail_facts import SEATLESS, Facts, all_facts, config, course_of, turns

if TYPE_CHECKING:
    from typing import Any

    from emails.content.blocks import MailContent
    from pbem.config import Config

__all__ = ["config"]

NAMES = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal")
LOOKED_AT = examples(8)
TO_OTHERS = {"receipt", "begun", "final", "board", "offer", "said", "my cards"}
"""The kinds of mail that go to whoever need not move, too."""
TYPED = (
    "begun",
    "good",
    "line",
    "move",
    "near",
    "now",
    "place",
    "played",
    "proposal",
    "reason",
    "typed",
    "words",
    "wrote",
)
"""The facts of what somebody typed: nobody but them may read it on a screen that is locked."""


def shown_in_an_inbox(content: MailContent) -> tuple[str, ...]:
    """Return a letter's subject and first sentence."""
    lead = content.parts[0]
    assert isinstance(lead, str)
    return content.subject, lead


def written(config: Config, kind: str, facts: dict[str, Any]) -> MailContent:
    return build_content(kind, MessageContext(facts, config, "0123456789abcdefghjkmnpqrs", "play"))


def holds_what_an_inbox_shows(content: MailContent) -> None:
    """Check that a letter's text begins with its first sentence, and its page with the same for inboxes."""
    lead = content.parts[0]
    assert isinstance(lead, str)
    assert " ".join(render_text(content.parts, "").split()).startswith(" ".join(lead.split()))
    page = render_html(content.subject, content.parts)
    preheader = page.partition('<div class="preheader"')[2].partition(">")[2]
    assert unescape(preheader).startswith(lead[:30])
    assert html_text.to_text(page).strip().startswith("--- Reply above this line ---")


def otherwise(facts: dict[str, Any]) -> dict[str, Any]:
    """Return facts in which something else was typed."""
    other: dict[str, Any] = {}
    for name in TYPED:
        value = facts[name]
        other[name] = ["something else"] if isinstance(value, list) else value and "something else"
    return Facts(facts | other | {"told": ["Something else is told."] if facts["told"] else []})


@pytest.mark.parametrize("key", GAMES)
def test_a_first_sentence_is_the_same_whatever_is_hidden_and_typed(config: Config, key: str) -> None:
    chosen, looked = Random(key), 0
    for deal, before, turn in islice(turns(key), LOOKED_AT):
        game = deal.game
        names = NAMES[: deal.seats]
        other = game.exchange(turn.before, Eye.PUBLIC, chosen.randbytes(32))
        course = course_of(deal, before, turn.before)
        for seat in map(Seat, range(1, deal.seats + 1)):
            facts = all_facts(course, seat, names, before, chosen)
            exchanged = otherwise(Facts(facts | view_facts(replace(course, position=other), seat, names)))
            moving = seat in game.to_move(turn.before)
            for kind in (message_kinds().keys() if moving else TO_OTHERS) - SEATLESS:
                looked += 1
                content = written(config, kind, facts)
                holds_what_an_inbox_shows(content)
                assert shown_in_an_inbox(content) == shown_in_an_inbox(written(config, kind, exchanged))
    assert looked >= LOOKED_AT * len(message_kinds().keys() - SEATLESS)


@pytest.mark.parametrize("key", GAMES)
def test_what_others_did_is_told_as_anybody_may_know_it(key: str) -> None:
    for deal, _before, turn in islice(turns(key), 5 * LOOKED_AT):
        public = deal.game.view(turn.after, Eye.PUBLIC).log
        for seat in map(Seat, range(1, deal.seats + 1)):
            own: Any = deal.game.view(turn.after, seat).log
            others = [(entry, known) for entry, known in zip(own, public, strict=True) if entry["seat"] != seat]
            assert all(entry == known for entry, known in others)
