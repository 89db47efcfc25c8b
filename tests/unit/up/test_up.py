"""The whole service as a process, with small programs in place of its own (service.py)."""

from click.testing import CliRunner

import pbem
from pbem.cli import main


def test_the_command_tells_its_version_and_its_ways() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"pbem, version {pbem.__version__}\n"
    assert "Run the whole service on this machine" in CliRunner().invoke(main, ["up", "--help"]).output
