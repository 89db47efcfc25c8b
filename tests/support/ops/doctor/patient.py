"""What the doctor's tests look at: a house, a name server of their own, and one check at a time."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from pbem.ops import doctor
from pbem.ops.doctor import CheckContext, names
from tests.support.left_out import program
from tests.support.ops.doctor.nameserver import Zone, name_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.ops.doctor import Level
    from tests.support.house import House


@dataclass(frozen=True, slots=True)
class Patient:
    """A service to be looked at, with the name server that knows its domain."""

    ground: CheckContext
    zone: Zone

    def with_settings(self, **changed: Any) -> Patient:
        return replace(self, ground=replace(self.ground, config=replace(self.ground.config, **changed)))

    def told(self, name: str) -> list[tuple[Level, str]]:
        """Return what one check has to say."""
        others = {check.name for check in doctor.all_checks()} - {name}
        return [(found.level, found.text) for found in doctor.run_checks(self.ground, others)]

    def only(self, name: str) -> tuple[Level, str]:
        """Return the one thing that a check has to say."""
        (said,) = self.told(name)
        return said


@pytest.fixture(scope="session")
def zone_and_server() -> Iterator[tuple[Zone, str]]:
    zone = Zone()
    with name_server(zone) as where:
        yield zone, where


@pytest.fixture
def patient(house: House, zone_and_server: tuple[Zone, str]) -> Patient:
    """A service whose domain is games.example.org, on a machine of its own that sends its mail itself."""
    zone, where = zone_and_server
    zone.records.clear()
    zone.asked.clear()
    config = replace(
        house.config,
        base_url="https://games.example.org",
        mail_domain="games.example.org",
        smtp_url="smtp://127.0.0.1:25",
        allow_anonymous=False,
    )
    return Patient(CheckContext(config, house.engine, names.make_resolver(where), mail_timeout=5), zone)


@pytest.fixture(scope="session")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for localhost that is good for a month, and its key."""
    openssl = program("openssl", "openssl")
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    made = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost"]
    made += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(made, check=True, capture_output=True)
    return certificate, key
