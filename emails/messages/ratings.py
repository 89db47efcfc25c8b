"""The mail with its reader's own ratings."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from emails.content.blocks import Button, Heading, Links, TitledList
from emails.messages.kinds import MessageKind
from emails.messages.shared import operator_reason
from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.i18n import _, marked, several
from pbem.play.inbox import rating_mail
from pbem.play.operators import rating_actions
from pbem.play.ratings import wording
from pbem.time_format import format_day

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _ratings(reader: MessageContext) -> list[Block]:
    known = reader.facts["ratings"]
    page = Button(_("Your ratings on a page"), f"{reader.config.base_url}/me/ratings")
    if not known:
        return [_("You have no rating yet."), wording.rated_sentence(), page]
    lead = several("You have a rating in one game.", "You have ratings in {count} games.", len(known))
    return [lead, *(block for one in known for block in _game(reader, one)), page]


def _game(reader: MessageContext, one: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading(GAMES[one["game"]].name)
    yield several(
        "Your rating is {rating}, from one match.",
        "Your rating is {rating}, from {count} matches.",
        one["matches"],
        rating=one["rating"],
    )
    lines = tuple(
        _(
            "{day}, with {names}: {before} → {after}",
            day=format_day(datetime.fromisoformat(at), reader.zone),
            names=series(opponents),
            before=before,
            after=after,
        )
        for at, opponents, before, after in one["changes"]
    )
    yield TitledList(_("Your last matches:"), lines)


def _annulled(reader: MessageContext) -> list[Block]:
    lead = _(
        "The operator has annulled your match of {game} for ratings: its result stays, and counts for nobody’s rating.",
        game=reader.game,
    )
    pages = ((_("The finished match"), reader.page), (_("Your ratings"), f"{reader.config.base_url}/me/ratings"))
    return [lead, *operator_reason(reader), Links(pages)]


KINDS = (
    MessageKind(rating_mail.KIND, _ratings, subject=marked("Your ratings"), is_answer=True),
    MessageKind(
        rating_actions.ANNULLED,
        _annulled,
        subject=marked("Rating annulled"),
        summary=marked("The operator has annulled your match of {game} for ratings."),
    ),
)
