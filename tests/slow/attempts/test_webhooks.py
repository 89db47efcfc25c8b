"""Webhooks lead to nobody's inner network: an address of it is refused in a sentence, and never called."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.receiver import receiving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.slow.attempts.houses import House, Table
    from tests.support.receiver import Receiver

INNER = (
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1", "127.255.255.254",
    "0.0.0.0", "0", "10.0.0.1", "10.255.255.255", "100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
    "192.0.0.1", "192.0.2.1", "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1",
    "239.255.255.250", "240.0.0.1", "255.255.255.255", "[::]", "[::1]", "[::127.0.0.1]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::7f00:1]",
    "[100::1]", "[2001::1]", "[2001:db8::1]", "[2001:10::1]", "[2002:7f00:1::]", "[2002:a00:1::]",
    "[5f00::1]", "[fc00::1]", "[fd12:3456:789a::1]", "[fe80::1]", "[fe80::1%25lo]", "[fec0::1]", "[ff02::1]",
    "localhost", "localhost.", "LOCALHOST", "ip6-localhost", "127.0.0.1.",
)  # fmt: skip
"""Machines that are not on the open internet, in every way to write them."""
WRITTEN = (
    "http://{here}/", "https://{here}/", "https://example.org@{here}/", "https://example.org:443@{here}/",
    "https://{here}#@example.org/", "https://{here}\\@example.org/", "https://{here}%2f@example.org/",
    "https://{here}?.example.org/", "https://127.0.0.1:22/", "https://127.0.0.1:65536/", "https://127.0.0.1:-1/",
    "https://\uff11\uff12\uff17.0.0.1/", "https://127\u30020\u30020\u30021/", "https://\u2460\u2461\u2466.0.0.1/", "ftp://{here}/",
    "file:///etc/passwd", "gopher://{here}/_x", "data:text/plain,x", "javascript:alert(1)", "//{here}/", "{here}", "",
    " https://{here}/", "https:{here}", "https:///{here}", "https://{here}\r\nX: y", "ht\ttps://{here}/",
    "https://[::1]{here}/", "https://[{here}/", "https://" + "a" * 2000, "https://.", "https://..", "https://%00/",
    "https://xn--/", "https://\u0000/", "unix:///run/valkey.sock",
)  # fmt: skip


@pytest.fixture(scope="module")
def inner() -> Iterator[Receiver]:
    """A program in the inner network, which is to be called by nobody."""
    with receiving() as receiver:
        yield receiver


@pytest.fixture(scope="module")
def table(there: House) -> Table:
    return there.table("martian-whist", "Ann", "Bob")


def add(table: Table, url: str) -> tuple[int, str, int]:
    """Ask for a webhook; returns the status, what the page says of it, and how many there are then."""
    path = f"/mine/{table.match}/webhooks"
    fields = table.host.get(path).form("Add a webhook").fields
    answer = table.host.post(path, {**fields, "url": url}, Sec_Fetch_Site="same-origin")
    return answer.status, answer.words, without(table)


def without(table: Table) -> int:
    """Remove all webhooks, so that one which should not be there is in nobody's way; returns how many there were."""
    path = f"/mine/{table.match}/webhooks"
    found = [form for form in table.host.get(path).page.forms if form.button.startswith("Remove")]
    for form in found:
        assert table.host.post(path, form.fields, Sec_Fetch_Site="same-origin").status == 303
    return len(found)


@pytest.mark.parametrize("machine", INNER)
@pytest.mark.parametrize("port", ["", "{port}"])
def test_no_inner_machine_is_called(table: Table, inner: Receiver, machine: str, port: str) -> None:
    number = inner.url.rpartition(":")[2]
    status, said, present = add(table, f"https://{machine}{':' + number if port else ''}/hook")
    assert status == 422
    assert "private network" in said or "does not exist" in said or "Enter a URL such as" in said
    assert present == 0
    assert inner.calls == []


@pytest.mark.parametrize("form", WRITTEN)
def test_no_way_of_writing_an_address_leads_inside(table: Table, inner: Receiver, form: str) -> None:
    status, said, present = add(table, form.replace("{here}", inner.url.removeprefix("http://")))
    assert status == 422
    assert "Traceback" not in said
    assert present == 0
    assert inner.calls == []


@pytest.mark.parametrize("wish", ["test", "again", "remove", "add"])
def test_no_webhook_of_another_is_touched(there: House, table: Table, wish: str) -> None:
    other = there.signed_in(there.player("Eve"))
    answer = other.post(f"/mine/{table.match}/webhooks", {"do": wish, "webhook": "1", "url": "https://example.org/"})
    assert answer.status == 404


@pytest.mark.parametrize("wish", ["test", "again", "remove", "add"])
def test_no_form_of_another_site_touches_a_webhook(table: Table, wish: str) -> None:
    fields = table.host.get(f"/mine/{table.match}/webhooks").form("Add a webhook").fields
    sent = {**fields, "do": wish, "webhook": "1", "url": "https://example.org/"}
    path = f"/mine/{table.match}/webhooks"
    assert table.host.post(path, sent, Sec_Fetch_Site="cross-site").status == 400
    assert table.host.post(path, {**sent, "nonce": ""}).status == 400
    assert without(table) == 0


def test_who_is_not_signed_in_is_led_to_signing_in(there: House, table: Table) -> None:
    answer = there.visitor().get(f"/mine/{table.match}/webhooks")
    assert answer.status == 303
    assert "/sign-in" in answer.says("Location")
