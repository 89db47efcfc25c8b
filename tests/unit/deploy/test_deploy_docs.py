"""The way from an empty server: its files are there, and are taken by those who read them."""

from __future__ import annotations

import re
from ipaddress import ip_network

import pytest
import yaml

from pbem.config import from_environment
from tests.support.deploy.deploy_docs import CONTAINER, unit
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "operate" / "deploy.md").read_text()


def test_each_file_that_is_named_is_there() -> None:
    for name in re.findall(r"(deploy/[\w./-]+\w)", PAGE):
        assert list(ROOT.glob(f"{name}*")), name
    for target in re.findall(r"\]\(([\w./-]+\.md)", PAGE):
        assert (ROOT / "docs" / "operate" / target).exists(), target


def test_each_step_is_taken_where_its_files_are() -> None:
    """Read from above, `cd` by `cd`, each path into the repository is one from its root."""
    here, looked_at = "", 0
    for block in re.findall(r"(?:^    .*\n)+", PAGE.partition("## In containers")[0], re.MULTILINE):
        for line in block.splitlines():
            words = line.split()
            here = words[1] if words[0] == "cd" else here
            if any(word.startswith("deploy/") for word in words):
                assert here == "/opt/pbem/source", line
                looked_at += 1
    assert looked_at >= 3


def test_each_mail_service_has_its_recipe() -> None:
    code = (ROOT / "pbem" / "web" / "system" / "inbound_mail.py").read_text()
    there = set(re.findall(r'^@pages\.post\("/(\w+)"\)', code, re.MULTILINE))
    table = PAGE.partition("### A mail service that calls you")[2].partition("###")[0]
    assert set(re.findall(r"`/incoming/(\w+)", table)) == there - {"raw"}


# -- parts and containers -----------------------------------------------------------------------------------------

NEEDED = {"DATABASE_URL": "postgresql://x/x", "REDIS_URL": "redis://x", "PBEM_SECRET_KEYS": "x" * 32} | {
    "PBEM_BASE_URL": "https://games.example.org",
    "PBEM_MAIL_DOMAIN": "games.example.org",
    "PBEM_SMTP_URL": "smtp://x",
}


def procfile() -> dict[str, str]:
    """Return the commands of the parts, with what the environment may change as it is unless told."""
    lines = (line.partition(": ") for line in (ROOT / "Procfile").read_text().splitlines())
    usual = {"${PORT:-8000}": "8000", "${WEB_CONCURRENCY:-2}": "2"}
    found = {}
    for name, _, command in lines:
        for variable, value in usual.items():
            command = command.replace(variable, value)  # noqa: PLW2901 (put together piece by piece)
        found[name] = command
    return found


def test_the_containers_run_what_the_procfile_says() -> None:
    said = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
    services = said["services"]
    assert {name: services[name]["command"] for name in procfile()} == procfile()
    assert set(services) == {"database", "broker", *procfile()}
    for name, service in services.items():
        assert set(service["networks"]) <= set(said["networks"]), name
        assert set(service.get("depends_on", ())) <= set(services), name
    # The database believes whoever asks it, so nobody else may be where it is.
    assert services["database"]["networks"] == services["broker"]["networks"] == ["inside"]
    assert said["networks"]["inside"] == {"internal": True}
    assert all(port.startswith("127.0.0.1:") for each in services.values() for port in each.get("ports", ()))
    assert (CONTAINER / services["web"]["build"]["context"] / services["web"]["build"]["dockerfile"]).is_file()


def test_whoever_comes_by_a_port_of_the_machine_is_asked_for_whom() -> None:
    """What a published port hands on comes from the first address of the network that compose makes."""
    said = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
    (network,) = (ip_network(each["subnet"]) for each in said["networks"]["outside"]["ipam"]["config"])
    assert network.is_private
    for name in procfile():
        config = from_environment(NEEDED | said["services"][name]["environment"])
        assert config.is_trusted_relay(str(network[1])), name
        assert not config.is_trusted_relay("192.0.2.1"), name


def test_the_oldest_compose_that_is_named_reads_the_file() -> None:
    """`name` at the top is refused by Docker Compose 1.29, which Debian 12 has."""
    said = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
    assert {key for key in said if not key.startswith("x-")} == {"services", "volumes", "networks"}
    # Without it the volume would be called after the folder.
    assert said["volumes"] == {"database": {"name": "pbem_database"}}


def test_each_folder_that_a_container_writes_to_is_made_by_whoever_runs_it() -> None:
    """Docker makes one that is missing, for root, and the user of the command may not write there."""
    steps = PAGE.partition("## In containers")[2]
    made, _, later = steps.partition("printf ")
    assert set(re.findall(r"\$PWD/(\w+):", later)) == set(re.findall(r"mkdir -p (\w+)", made))


def test_the_web_server_shows_figures_to_nobody_else() -> None:
    shipped = (ROOT / "deploy" / "caddy" / "Caddyfile").read_text()
    (matcher,) = re.findall(r"@figures \{\s+path (\S+)\s+not remote_ip (.+)\n", shipped)
    assert matcher == ("/metrics", "127.0.0.1 ::1")
    assert re.search(r"^\trespond @figures 404$", shipped, re.MULTILINE)
    shown = (ROOT / "docs" / "operate" / "watching.md").read_text()
    assert "location = /metrics {" in shown
    assert "deploy/caddy/Caddyfile" in shown


def test_the_units_run_what_the_procfile_says() -> None:
    for name, command in procfile().items():
        unit = (ROOT / "deploy" / "systemd" / "parts" / f"pbem-{name}.service").read_text()
        assert f"\nExecStart=/opt/pbem/bin/{command.replace('0.0.0.0', '127.0.0.1')}\n" in unit


@pytest.mark.parametrize("name", procfile())
def test_a_part_is_started_again_but_not_where_a_setting_is_wrong(name: str) -> None:
    assert "RestartPreventExitStatus=2" in unit(name)
    assert ("Restart=on-failure" if name == "release" else "Restart=always") in unit(name)


@pytest.mark.parametrize("name", [name for name in procfile() if name != "release"])
def test_a_release_comes_first_and_ends_no_part(name: str) -> None:
    lines = [line.partition("=") for line in unit(name)]
    named = {key for key, _, value in lines if "pbem-release.service" in value.split()}
    assert named == {"Wants", "After"}
