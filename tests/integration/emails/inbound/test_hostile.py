"""Mail that would break something: whatever it holds, it is judged, and what comes after it too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Submission
from tests.support.examples import few

if TYPE_CHECKING:
    from tests.support.house import House

HEAD = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n"
HOSTILE = {
    "nul in the text": HEAD + b"\r\nswap \x00 9 please\r\n",
    "nul in quoted-printable": HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\nswap =00 9\r\n",
    "nul in base64": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\nc3dhcCAAIDk=\r\n",
    "surrogate in utf-7": HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\nswap +2AA- 9\r\n",
    "surrogate in utf-16": HEAD
    + b"Content-Type: text/plain; charset=utf-16-le\r\nContent-Transfer-Encoding: base64\r\n\r\ncwAA2AA=\r\n",
    "nul in html": HEAD + b"Content-Type: text/html\r\n\r\n<p>swap &#0; \x00 &#xD800; 9</p>\r\n",
    "nul in accept": HEAD + b"\r\naccept my \x00 text\r\n",
    "surrogate in accept": HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\naccept +2AA-\r\n",
    "bytes that are no text": HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\nswap \xff\xfe\xed\xa0\x80 9\r\n",
    "an unknown charset": HEAD + b"Content-Type: text/plain; charset=klingon\r\n\r\nswap \xff 9\r\n",
    "nul in the message-id": b"From: ann@example.org\r\nMessage-ID: <1\x00@example.org>\r\n\r\nswap 9\r\n",
    "bytes in the message-id": b"From: ann@example.org\r\nMessage-ID: <1\xff\xed\xa0\x80@x.org>\r\n\r\nswap 9\r\n",
    "a message-id of many lines": b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n Bcc: z@z.org\r\n\r\nhelp\r\n",
    "a long message-id": b"From: ann@example.org\r\nMessage-ID: <" + b"x" * 20000 + b"@x>\r\n\r\nhelp\r\n",
    "nul in from": b"From: ann\x00@example.org\r\nMessage-ID: <1@x>\r\n\r\nswap 9\r\n",
    "bytes in from": b"From: \xff\xed\xa0\x80@example.org\r\nMessage-ID: <1@x>\r\n\r\nswap 9\r\n",
    "a line of many words": HEAD + b"\r\n" + b"swap " * 100_000 + b"\r\n",
    "many lines": HEAD + b"\r\n" + b"swap 9\r\n" * 20_000,
    "a brace for patterns": HEAD + b"\r\nswap {0} {move} %s {\r\n",
    "a subject in an odd charset": HEAD + "Subject: =?x-nonšïe?q?Re?=\r\n\r\nswap 9\r\n".encode(),
    "markup": HEAD + b"\r\n<script>alert(1)</script> </td>\r\n",
}


@pytest.mark.parametrize("what", [*few(HOSTILE, 3)])
@pytest.mark.parametrize("begun", [True, False], ids=["turn", "invitation"])
def test_it_is_judged_and_the_player_can_still_move(house: House, what: str, begun: object) -> None:
    match_id = house.start_match("middle-card", 3) if begun else house.make("middle-card", 3)
    mail = house.last("Ann")
    assert house.send(HOSTILE[what], mail.reply_to, "ann@example.org").code == 250
    assert house.judge(match_id) == 1
    assert house.all(select(Submission.status)) != ["failed"]
    for answer in house.mails("Ann"):
        assert "<script>" not in answer.html
        assert answer.message["In-Reply-To"].count("<") == 1
        assert not answer.message["Bcc"]
    house.reply(mail, "stay" if begun else "accept")
    if begun:
        assert house.match(match_id).log_length == 1
    else:
        assert house.match_seats(match_id)[0].accepted_at
