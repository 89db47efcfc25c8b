"""Attached files: the record of a finished match as text, and the whole match as one HTML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Part, Small
from emails.content.mime import Attached
from pbem.db.models import Match
from pbem.i18n import _
from pbem.play.archive.records import NoRecordYetError, text_of
from pbem.play.inbox import commands
from pbem.records.page import contents_of, replay_page, source_of
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.db.models import Notice
    from pbem.play.core.context import Context

    Along = tuple[tuple[Part, ...], tuple[Attached, ...]]

NOTHING: Along = ((), ())


def along(ctx: Context, notice: Notice) -> Along:
    """Return the blocks that mention the attached files of a mail, and these files; most mails have none."""
    attach = _ATTACHED.get(notice.kind)
    match = ctx.session.get(Match, notice.match_id) if attach and notice.match_id else None
    if attach is None or match is None or match.state != MatchState.OVER:
        return NOTHING
    if notice.kind not in _ASKED_FOR and notice.holder is not None and notice.holder.player.link_only:
        # Players who want link-only mails get files only on request.
        return NOTHING
    try:
        return attach(ctx, match, notice)
    except NoRecordYetError:
        # The match was called off before it began, or was for practice.
        return NOTHING


def _final(ctx: Context, match: Match, notice: Notice) -> Along:
    record = Attached(f"{_name(match)}.txt", 'text/plain; charset="utf-8"', text_of(ctx, match).encode())
    if notice.holder is not None and notice.holder.player.replay_along:
        along = _(
            "The record of this match is attached as text, and the whole match as one file that shows every step and "
            "needs no network."
        )
        return (Small((along,)),), (record, *_replay(ctx, match, notice)[1])
    word = commands.known()["replay"].word
    said = _(
        "The record of this match is attached as text. Reply “{word}” to get the whole match as one file that shows "
        "every step and needs no network.",
        word=word,
    )
    return (Small((said,)),), (record,)


def _replay(ctx: Context, match: Match, notice: Notice) -> Along:
    reader = notice.holder.player_id if notice.holder else None
    page = replay_page(contents_of(source_of(ctx, match, reader)))
    return (), (Attached(f"{_name(match)}.html", 'text/html; charset="utf-8"', page.encode()),)


def _name(match: Match) -> str:
    return f"{match.game}-{match.id[:8]}"


_ATTACHED: Mapping[str, Callable[[Context, Match, Notice], Along]] = {"final": _final, "replay": _replay}
"""The kinds of mail that have attached files."""
_ASKED_FOR = {"replay"}
