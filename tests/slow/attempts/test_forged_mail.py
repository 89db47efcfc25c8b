"""Forged mail moves nobody: neither a written From nor written results of authentication are believed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.slow.attempts.houses import NUMBERS, SERVER, answer_to, reply_to, token_of
from tests.support.live_service import text_of, until

if TYPE_CHECKING:
    from email.message import EmailMessage

    from tests.slow.attempts.houses import House, Player, Table

EVE = "eve@evil.example"
PASSED = f"Authentication-Results: {SERVER}; dmarc=pass header.from={{domain}}\r\n"
FAILED = f"Authentication-Results: {SERVER}; dmarc=fail header.from={{domain}}\r\n"
RECEIVED = "Received: from there.evil.example by mx.example.net; Mon, 23 Nov 2026 09:00:00 +0000\r\n"
ABOVE = f"Authentication-Results: {SERVER}; "

UNPROVEN = {
    "nothing": RECEIVED,
    "below": RECEIVED + PASSED,
    "without a mail server": PASSED,
    "of another server": f"Authentication-Results: evil.example; dmarc=pass header.from={{domain}}\r\n{RECEIVED}",
    "of one that begins alike": f"Authentication-Results: {SERVER}.evil.example; dmarc=pass header.from={{domain}}\r\n"
    + RECEIVED,
    "of one that ends alike": f"Authentication-Results: x{SERVER}; dmarc=pass header.from={{domain}}\r\n{RECEIVED}",
    "under another name": f"ARC-{PASSED}X-{PASSED}{RECEIVED}",
    "second to a fail": FAILED + PASSED + RECEIVED,
    "fail and pass in one": ABOVE + "dmarc=fail header.from={domain}; dmarc=pass header.from={domain}\r\n" + RECEIVED,
    "of another domain": ABOVE + "dmarc=pass header.from=evil.example; dkim=pass header.d=evil.example\r\n" + RECEIVED,
    "of a domain that ends alike": ABOVE + "dkim=pass header.d=x{domain}\r\n" + RECEIVED,
    "of a longer domain": ABOVE + "dkim=pass header.d={domain}.evil.example\r\n" + RECEIVED,
    "in a comment": ABOVE + "dkim=none (dkim=pass header.d={domain}; dmarc=pass)\r\n" + RECEIVED,
    "in comments in comments": ABOVE + "dkim=none ((;) ; dmarc=pass header.from={domain} (;))\r\n" + RECEIVED,
    "in a quoted sender": ABOVE
    + 'spf=pass smtp.mailfrom="x; dkim=pass header.d={domain}; y"@evil.example\r\n'
    + RECEIVED,
    "in a quoted sender with escapes": ABOVE
    + 'spf=pass smtp.mailfrom="x\\"; dkim=pass header.d={domain}; \\"y"@evil.example\r\n'
    + RECEIVED,
    "in a reason": ABOVE + 'dkim=fail reason="bad; dkim=pass header.d={domain}" header.d=evil.example\r\n' + RECEIVED,
    "in a reason in apostrophes": ABOVE
    + "dkim=fail reason='x' header.b=\"; dkim=pass header.d={domain}\"\r\n"
    + RECEIVED,
    "before the last at": ABOVE + 'dkim=pass header.i="@{domain}"@evil.example\r\n' + RECEIVED,
    "before the last at of a sender": ABOVE + 'spf=pass smtp.mailfrom="@{domain} "@evil.example\r\n' + RECEIVED,
    "as another property": ABOVE + "dkim=pass x-header.d={domain} header.d=evil.example\r\n" + RECEIVED,
    "as a property of a property": ABOVE + "dkim=pass header.s=header.d={domain} header.d=evil.example\r\n" + RECEIVED,
    "of a greeting": ABOVE + "spf=pass smtp.helo={domain}\r\n" + RECEIVED,
    "of another method": ABOVE + "auth=pass header.from={domain}; iprev=pass; x-dmarc=pass\r\n" + RECEIVED,
    "as good as a pass": ABOVE
    + "dmarc=bestguesspass header.from={domain}; dkim=passed header.d={domain}\r\n"
    + RECEIVED,
    "none, and a neutral signature": ABOVE
    + "dmarc=none header.from={domain}; dkim=neutral header.d={domain}\r\n"
    + RECEIVED,
    "temporary": ABOVE + "dmarc=temperror header.from={domain}; dkim=pass header.d={domain}\r\n" + RECEIVED,
    "in a subject": "Subject: x\r\n " + PASSED + RECEIVED,
    "in a line that a lone CR ends": f"{RECEIVED}X-Mailer: x\r{PASSED}",
    "in an encoded word": f"Authentication-Results: =?utf-8?q?{SERVER}?=; dmarc=pass header.from={{domain}}\r\n"
    + RECEIVED,
    "behind 4 kB of blanks": ABOVE + "x=" + "y" * 4000 + "; dmarc=pass header.from={domain}; dmarc=fail\r\n" + RECEIVED,
    "no results, and a pass in a word": ABOVE + "none dmarc=pass header.from={domain}\r\n" + RECEIVED,
}
"""Headers above those that a forger writes, or that they write themselves; none of them vouches for Ann's domain."""


@dataclass(frozen=True)
class Turn:
    """A player's turn, which a forger knows the reply address of."""

    table: Table
    player: Player
    mail: EmailMessage
    move: str

    def absences(self) -> Any:
        """Ask when the player is away."""
        assert self.player == self.table.players[0]
        return self.table.host.get("/api/me/absences").json["absences"]

    def forge(self, above: str, sender: str | None = None, text: str = "", more: str = "") -> bytes:
        """Write a mail as the server before the house hands it on."""
        domain = self.player.address.partition("@")[2]
        head = above.replace("{domain}", domain) + (f"From: {self.player.address}\r\n" if sender is None else sender)
        head += f"To: {reply_to(self.mail)}\r\nMessage-ID: <f{next(NUMBERS)}@evil.example>\r\n{more}"
        return (head + f"\r\n{text or self.move}\r\n").encode()

    def try_it(self, raw: bytes, to: str = "") -> None:
        """Send a mail, and find that nothing is played and that nobody else is told."""
        before = self.table.view
        assert self.table.house.post(raw, EVE, to or reply_to(self.mail)) in {250, 550, 554}
        self.table.house.settle()
        assert self.table.view == before
        assert self.table.house.mails(EVE) == []


def turn_of(house: House, policy: str = "") -> Turn:
    table = house.table("martian-whist", "Ann", "Bob")
    player = table.mover
    if policy:
        kept = table.host.press(table.host.open("/me/mail"), "Save", mail_policy=policy)
        assert f'value="{policy}" checked' in re.sub(r"\s+", " ", kept.text)
    mail = table.turn(player)
    return Turn(table, player, mail, table.seen_by(mail)["moves"][0])


AT_MOST = 40
"""So many mails go to one turn, well below what one reply address takes in an hour."""
TURNS: dict[str, tuple[int, Turn]] = {}


def current(house: House, policy: str) -> Turn:
    """Return a turn that nobody has played yet: an attempt that did not hold spoils no other."""
    tried, turn = TURNS.get(policy, (AT_MOST, None))
    if turn is None or tried == AT_MOST or turn.table.view["to_move"] != [turn.table.players.index(turn.player) + 1]:
        tried, turn = 0, turn_of(house, policy)
    TURNS[policy] = tried + 1, turn
    return turn


@pytest.fixture
def strict(there: House) -> Turn:
    """A turn of somebody who wants only what the mail server vouches for."""
    return current(there, "token+from+aligned")


@pytest.fixture
def usual(there: House) -> Turn:
    return current(there, "")


@pytest.mark.parametrize("above", UNPROVEN.values(), ids=UNPROVEN.keys())
def test_no_written_result_is_believed(strict: Turn, above: str) -> None:
    strict.try_it(strict.forge(above))


@pytest.mark.parametrize("above", UNPROVEN.values(), ids=UNPROVEN.keys())
def test_no_letter_acts_on_a_written_result(there: House, strict: Turn, above: str) -> None:
    domain = strict.player.address.partition("@")[2]
    letter = above.replace("{domain}", domain) + f"From: {strict.player.address}\r\nTo: {there.own_address}\r\n"
    letter += f"Message-ID: <f{next(NUMBERS)}@evil.example>\r\n\r\naway 5 days\r\n"
    before = strict.absences()
    strict.try_it(letter.encode(), there.own_address)
    assert strict.absences() == before


SENDERS = {
    "a stranger": "From: {eve}\r\n",
    "a name": 'From: "{ann}" <{eve}>\r\n',
    "a name in angles": 'From: "<{ann}>" <{eve}>\r\n',
    "a bare name": "From: {ann_} <{eve}>\r\n",
    "a comment": "From: {eve} ({ann})\r\n",
    "a comment in angles": "From: (<{ann}>) {eve}\r\n",
    "an encoded name": "From: =?utf-8?q?=3C{ann_q}=3E?= <{eve}>\r\n",
    "an encoded address": "From: =?utf-8?q?{ann_q}?=\r\n",
    "two fields": "From: {eve}\r\nFrom: {ann}\r\n",
    "two fields the other way": "From: {ann}\r\nFrom: {eve}\r\n",
    "two fields, one in capitals": "FROM: {ann}\r\nfrom: {eve}\r\n",
    "another sender": "From: {eve}\r\nSender: {ann}\r\nReply-To: {ann}\r\nResent-From: {ann}\r\nX-Sender: {ann}\r\n",
    "longer": "From: {ann}.evil.example\r\n",
    "shorter": "From: {local}@evil.example\r\n",
    "below": "From: {local}@evil.{domain}\r\n",
    "plus": "From: {local}+eve@{domain}\r\n",
    "another letter": "From: \u0430{ann}\r\n",
    "two ats": "From: {ann}@evil.example\r\n",
    "a percent": "From: {local}%{domain}@evil.example\r\n",
    "nobody": "",
    "an empty one": "From: \r\n",
    "an empty angle": "From: <>\r\n",
    "in the body": "Subject: x\r\n\r\nFrom: {ann}\r\n\r\n",
}
UNVOUCHED_SENDERS = {
    "several": "From: {eve}, {ann}\r\n",
    "several in angles": "From: Eve <{eve}>, Ann <{ann}>\r\n",
    "several, hers first": "From: Ann <{ann}>, Eve <{eve}>\r\n",
    "two angles": "From: <{ann}> <{eve}>\r\n",
    "a group": "From: Friends: {ann}, {eve};\r\n",
    "a zero-width letter": "From: {local}@{first}\u200b{rest}\r\n",
    "a zero-width letter in angles": "From: Ann <{local}\u200d@{domain}>\r\n",
    "a soft hyphen": "From: {local}@{first}\u00ad{rest}\r\n",
    "a letter that turns the line": "From: \u202e{ann}\r\n",
    "a control letter": "From: {local}@{first}\x01{rest}\r\n",
    "bytes that are no letters": "From: {ann}\u0080\r\n",
    "a route": "From: <@evil.example:{ann}>\r\n",
    "a comment inside": "From: {local}@{first}(.evil.example){rest}\r\n",
    "a fold inside": "From: {local}@{first}\r\n {rest}\r\n",
}
"""Those in which a mail server and we might find different people; it says that who it found is forged."""


def written(turn: Turn, form: str) -> str:
    local, _, domain = turn.player.address.partition("@")
    ann = turn.player.address
    names = {"eve": EVE, "ann": ann, "local": local, "domain": domain, "first": domain[:4], "rest": domain[4:]}
    return form.format(**names, ann_=ann.replace("@", " at "), ann_q=ann.replace("@", "=40"))


@pytest.mark.parametrize("form", SENDERS.values(), ids=SENDERS.keys())
def test_nobody_else_is_taken_for_the_player(usual: Turn, form: str) -> None:
    usual.try_it(usual.forge(RECEIVED, written(usual, form)))


@pytest.mark.parametrize("form", SENDERS.values(), ids=SENDERS.keys())
def test_nobody_else_is_taken_for_the_player_though_their_own_domain_is_vouched_for(usual: Turn, form: str) -> None:
    vouched = ABOVE + "dmarc=pass header.from=evil.example; dkim=pass header.d=evil.example\r\n" + RECEIVED
    usual.try_it(usual.forge(vouched, written(usual, form)))


@pytest.mark.parametrize("form", UNVOUCHED_SENDERS.values(), ids=UNVOUCHED_SENDERS.keys())
@pytest.mark.parametrize("found", ["evil.example", "example.com"])
def test_no_from_is_read_otherwise_than_by_the_mail_server(usual: Turn, form: str, found: str) -> None:
    """The mail server found the mail forged, in the name of whom it took for its sender."""
    failed = ABOVE + f"dmarc=fail header.from={found}\r\n" + RECEIVED
    usual.try_it(usual.forge(failed, written(usual, form)))


@pytest.mark.parametrize("result", ["fail", "temperror", "permerror", "quarantine", "reject"])
def test_what_the_mail_server_calls_forged_is_not_played(usual: Turn, result: str) -> None:
    usual.try_it(usual.forge(ABOVE + f"dmarc={result} header.from={{domain}}\r\n" + RECEIVED))


# -- questions and their answers ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked(there: House) -> Table:
    """A table of three where Ann proposes a draw, and the others are asked by mail."""
    table = there.table("martian-trickery", "Ann", "Bob", "Cyd", options={"hands": 1})
    ann, bob, cyd = table.players
    assert ann.reply(table.mails_to(ann)[-1], "draw") == 250
    for each in (bob, cyd):
        until(partial(asks, table, each))
    there.settle()
    return table


def asks(table: Table, player: Player) -> bool:
    return any("draw" in str(mail["Subject"]) + text_of(mail) for mail in table.mails_to(player)[1:])


@pytest.mark.parametrize("line", ["yes", "draw", "draw yes", "Yes!", "ja", "agree"])
def test_nobody_says_yes_to_what_another_was_asked(asked: Table, line: str) -> None:
    ann, bob, cyd = asked.players
    question = asked.mails_to(bob)[-1]
    own = asked.mails_to(cyd)[-1]
    forged = answer_to(cyd, own, line, **{"In-Reply-To": str(question["Message-ID"]), "From": cyd.address})
    assert asked.house.post(forged, cyd.address, reply_to(own)) == 250
    asked.house.settle()
    assert asked.view["outcome"] is None
    assert [offer["seat"] for offer in offers(asked, bob)] == [1]
    assert 2 in offers(asked, ann)[0]["awaited"]


@pytest.mark.parametrize("who", [0, 1])
def test_nobody_says_yes_in_the_name_of_another(asked: Table, who: int) -> None:
    question = asked.mails_to(asked.players[1])[-1]
    writer = asked.players[who]
    forged = answer_to(asked.players[2], question, "yes", From=asked.players[2].address)
    assert asked.house.post(forged, writer.address, reply_to(question)) == 250
    asked.house.settle()
    assert asked.view["outcome"] is None
    assert 2 in offers(asked, asked.players[0])[0]["awaited"]


def offers(table: Table, player: Player) -> list[dict[str, Any]]:
    link = token_of(table.mails_to(player)[-1])
    found: list[dict[str, Any]] = table.house.anybody.get(f"/api/seats/{link}/offers").json
    return found


PASSED_ON = (
    "the invitation",
    "a turn that was played",
    "the last mail",
    "another's mail",
    "the match",
    "nothing",
    "many",
)
"""What a letter may say that it answers; whoever was passed such a mail, or sees the match, can say so."""


@pytest.fixture(scope="module")
def over(there: House) -> tuple[Table, dict[str, str]]:
    """A match that is over, and what identifies its mails."""
    table = there.table("martian-whist", "Ann", "Bob")
    ann, bob = table.players
    invitation, turn = table.invitation(ann), table.turn(ann)
    table.move(ann)
    others = table.turn(bob)
    assert bob.reply(others, "resign yes") == 250
    until(lambda: table.view["outcome"])
    there.settle()
    named = dict.fromkeys(PASSED_ON, "<nothing@evil.example>")
    mails = {"the invitation": invitation, "a turn that was played": turn, "another's mail": others}
    named |= {what: str(mail["Message-ID"]) for what, mail in mails.items()}
    named |= {"the last mail": str(table.mails_to(ann)[-1]["Message-ID"])}
    named |= {"the match": str(invitation["References"]).split()[0]}
    named |= {"many": " ".join(f"<{number}.{table.match}@{there.domain}>" for number in range(400))}
    return table, named


@pytest.mark.parametrize("line", ["away 5 days", "new martian-whist with vic@vic.example"])
@pytest.mark.parametrize("header", ["In-Reply-To", "References"])
@pytest.mark.parametrize("answered", PASSED_ON)
def test_no_letter_acts_by_a_mail_that_was_passed_on(
    there: House, over: tuple[Table, dict[str, str]], answered: str, header: str, line: str
) -> None:
    table, named = over
    ann, victims = table.players[0], len(there.mails("vic@vic.example"))
    letter = f"{RECEIVED}From: {ann.address}\r\nTo: {there.own_address}\r\n{header}: {named[answered]}\r\n"
    letter += f"Message-ID: <f{next(NUMBERS)}@evil.example>\r\n\r\n{line}\r\n"
    assert there.post(letter.encode(), EVE, there.own_address) == 250
    there.settle()
    assert table.host.get("/api/me/absences").json["absences"] == []
    assert len(there.mails("vic@vic.example")) == victims
    assert there.mails(EVE) == []


@pytest.mark.parametrize("changed", ["first", "last", "swapped", "short", "long"])
def test_no_changed_reply_address_is_taken(usual: Turn, changed: str) -> None:
    local, _, domain = reply_to(usual.mail).partition("@")
    kind, _, token = local.partition("+")
    other = {
        "first": ("1" if token[0] != "1" else "2") + token[1:],
        "last": token[:-1] + ("1" if token[-1] != "1" else "2"),
        "swapped": token[1] + token[0] + token[2:] if token[0] != token[1] else token[::-1],
        "short": token[:-1],
        "long": token + "0",
    }[changed]
    raw = usual.forge(RECEIVED)
    assert usual.table.house.post(raw, EVE, f"{kind}+{other}@{domain}") == 550


def test_what_the_mail_server_vouches_for_is_played(strict: Turn) -> None:
    raw = strict.forge(PASSED + RECEIVED)
    assert strict.table.house.post(raw, strict.player.address, reply_to(strict.mail)) == 250
    until(lambda: strict.player != strict.table.mover)
