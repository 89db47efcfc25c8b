"""Files of matches that no database knows."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.play.archive.comments import ExportedComment
from pbem.records.page import Source, build_contents, replay_page, source_from_record
from tests.support.games.small_record import finished, random_match

if TYPE_CHECKING:
    from pbem.games.record import Record

NASTY = ("</script><img src=x onerror=alert(1)>", "<b>Bob</b> & “Söhne”", "Cyd\u2028\U0001f600", "Dee", "Eve")
"""Names that would do something where they were taken for markup."""
_PACKED = re.compile(r'(id="packed">")(.*?)("<)')
_RECORD = re.compile(r'(<script type="application/json" id="record">)(.*?)(</script>)', re.DOTALL)


def record_of(game: str, plies: int = 12) -> Record:
    record = finished(taken_back=True) if game == "middle-card" else random_match(game, plies)
    return replace(record, seats=NASTY[: len(record.seats)])


def source(record: Record, remarks: dict[int, list[ExportedComment]] | None = None) -> Source:
    return replace(source_from_record(record), remarks=remarks or {})


def page_of(record: Record) -> str:
    return replay_page(build_contents(source(record, {1: [ExportedComment(NASTY[0], "Why not <i>there</i>?")]})))


def record_in(page: str) -> Any:
    found = _RECORD.search(page)
    assert found
    return json.loads(found[2])


def packed(page: str) -> Any:
    """Return what a page holds for its script."""
    found = _PACKED.search(page)
    assert found
    return json.loads(gzip.decompress(base64.b64decode(found[2])))


def with_packed(page: str, data: Any) -> str:
    """Change what a page holds for its script, and nothing else."""
    written = base64.b64encode(gzip.compress(json.dumps(data).encode())).decode()
    return _PACKED.sub(lambda found: found[1] + written + found[3], page)


def with_record(page: str, data: Any) -> str:
    """Change the record that a page holds, and nothing else."""
    written = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return _RECORD.sub(lambda found: found[1] + written + found[3], page)
