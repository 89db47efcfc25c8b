"""What the doctor says of a domain: SPF, DKIM, DMARC, MX and PTR, asked of a real name server."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from pbem.ops.doctor import Level
from pbem.signing_keys import load_signing_key
from tests.support.left_out import program
from tests.support.ops.doctor.domain import DOMAIN

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.ops.doctor.patient import Patient


# -- DKIM ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Private keys by their bits."""
    openssl = program("openssl", "openssl")
    folder = tmp_path_factory.mktemp("keys")
    for bits in (1024, 2048):
        made = (openssl, "genrsa", "-traditional", "-out", str(folder / f"{bits}.pem"), str(bits))
        subprocess.run(made, check=True, capture_output=True)
    return {bits: folder / f"{bits}.pem" for bits in (1024, 2048)}


def signing(patient: Patient, key: Path) -> Patient:
    return patient.with_settings(dkim_key=str(key), dkim_selector="games")


def test_a_published_key_is_that_of_the_private_one(patient: Patient, keys: dict[int, Path]) -> None:
    key = load_signing_key(str(keys[2048]))
    record = key.record
    assert key.bits == 2048
    name = f"games._domainkey.{DOMAIN}"
    patient.zone.text(name, record.replace("p=", "n=a note; p= "))
    well = signing(patient, keys[2048])
    assert well.only("DKIM") == (Level.PASS, f"{name} publishes the key that signs mail.")
    openssl = shutil.which("openssl")
    assert openssl
    made = (openssl, "rsa", "-in", str(keys[2048]), "-pubout")
    pem = subprocess.run(made, check=True, capture_output=True, text=True).stdout.splitlines()
    assert record == f"v=DKIM1; k=rsa; p={''.join(pem[1:-1])}"


def test_what_is_wrong_with_a_published_key_is_told(patient: Patient, keys: dict[int, Path]) -> None:
    name, well = f"games._domainkey.{DOMAIN}", signing(patient, keys[2048])
    right, other = (load_signing_key(str(keys[bits])).record for bits in (2048, 1024))
    assert well.only("DKIM") == (Level.FAIL, f"{name} does not exist, so signed mail counts as unsigned.")
    for record, said in (
        ("v=DKIM1; k=rsa; p=", f"{name} says that its key was revoked."),
        (other, f"{name} publishes another key than the one that signs mail."),
        ("v=DKIM1; p=%%%", f"{name} publishes another key than the one that signs mail."),
        ("v=DKIM1; p=abc", f"{name} publishes another key than the one that signs mail."),
    ):
        patient.zone.text(name, record)
        assert well.only("DKIM") == (Level.FAIL, said)
    patient.zone.text(name, f"{right}; t=y:s", f"{right}; t=y")
    assert [level for level, _ in well.told("DKIM")] == [Level.WARN, Level.WARN, Level.PASS]
    patient.zone.text(name, other)
    assert [level for level, _ in signing(patient, keys[1024]).told("DKIM")] == [Level.WARN, Level.PASS]


def test_a_key_that_signs_and_one_that_does_not_are_told(
    patient: Patient, keys: dict[int, Path], tmp_path: Path
) -> None:
    assert patient.only("signing") == (Level.PASS, "The service does not sign mail.")
    assert patient.only("DKIM")[0] is Level.PASS
    assert signing(patient, keys[2048]).only("signing") == (Level.PASS, "The DKIM key works.")
    (tmp_path / "key").write_text("no key")
    for file, said in (("key", "holds no private key"), ("none", "cannot be read")):
        level, told = signing(patient, tmp_path / file).only("signing")
        assert (level, told.partition(" so none is sent: ")[2].startswith(f"{tmp_path / file} {said}")) == (
            Level.FAIL,
            True,
        )
