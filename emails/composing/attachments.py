"""Attached files: the record of a finished match as text, and the whole match as one HTML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Block, Footnote
from emails.content.mime import Attachment
from emails.messages import message_kinds
from emails.messages.kinds import Files
from pbem.db.models import Match
from pbem.i18n import _
from pbem.play.archive.records import NoRecordYetError, render_text
from pbem.play.inbox import commands
from pbem.records.page import build_contents, load_source, replay_page
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.db.models import OutboxMessage
    from pbem.play.core.context import Context

    BlocksAndFiles = tuple[tuple[Block, ...], tuple[Attachment, ...]]

NO_FILES: BlocksAndFiles = ((), ())


def attached_files(ctx: Context, message: OutboxMessage) -> BlocksAndFiles:
    """Return the blocks that mention the attached files of a mail, and these files; most mails have none."""
    kind = message_kinds()[message.kind]
    match = ctx.session.get(Match, message.match_id) if kind.files and message.match_id else None
    if kind.files is None or match is None or match.state != MatchState.OVER:
        return NO_FILES
    if not kind.is_unredacted and message.holder is not None and message.holder.player.link_only:
        # A redacted mail has no files: players who want link-only mails get them only on request.
        return NO_FILES
    try:
        return _BUILDERS[kind.files](ctx, match, message)
    except NoRecordYetError:
        # The match was called off before it began, or was for practice.
        return NO_FILES


def _final(ctx: Context, match: Match, message: OutboxMessage) -> BlocksAndFiles:
    record = Attachment(f"{_file_stem(match)}.txt", 'text/plain; charset="utf-8"', render_text(ctx, match).encode())
    if message.holder is not None and message.holder.player.attach_replay:
        note = _(
            "The record of this match is attached as text, and the whole match as one file that shows every step and "
            "needs no network."
        )
        return (Footnote((note,)),), (record, *_replay(ctx, match, message)[1])
    word = commands.by_name()["replay"].word
    note = _(
        "The record of this match is attached as text. Reply “{word}” to get the whole match as one file that shows "
        "every step and needs no network.",
        word=word,
    )
    return (Footnote((note,)),), (record,)


def _replay(ctx: Context, match: Match, message: OutboxMessage) -> BlocksAndFiles:
    reader = message.holder.player_id if message.holder else None
    page = replay_page(build_contents(load_source(ctx, match, reader)))
    return (), (Attachment(f"{_file_stem(match)}.html", 'text/html; charset="utf-8"', page.encode()),)


def _file_stem(match: Match) -> str:
    return f"{match.game}-{match.id[:8]}"


_BUILDERS: Mapping[Files, Callable[[Context, Match, OutboxMessage], BlocksAndFiles]] = {
    Files.RECORD: _final,
    Files.REPLAY: _replay,
}
