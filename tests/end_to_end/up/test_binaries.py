import subprocess

from pbem.config import OLDEST_POSTGRES
from pbem.up import binaries


def test_the_programs_that_are_found_run() -> None:
    folder = binaries.postgres()
    assert binaries.postgres_version(folder) >= OLDEST_POSTGRES
    assert binaries.postgres(binaries.postgres_version(folder)) == folder
    said = subprocess.run((binaries.valkey(), "--version"), capture_output=True, text=True, check=True).stdout
    assert "server" in said
