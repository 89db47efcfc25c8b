from pathlib import Path

import pytest

from pbem.config import from_environment
from pbem.ops.up.errors import StartError
from pbem.ops.up.folder import DataFolder, lock_data_folder
from pbem.ops.up.settings import UpOptions, build_environment, smtp_address

SMTP = ("127.0.0.1", 8025)
STORES = {"DATABASE_URL": "postgresql:///pbem", "REDIS_URL": "redis://localhost"}


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    with lock_data_folder(tmp_path / "my data") as folder:
        return folder


def test_on_a_bare_machine_it_is_for_whoever_sits_at_it(folder: DataFolder) -> None:
    told = build_environment(UpOptions(port=8001), folder, SMTP, {})
    config = from_environment(told | STORES)
    assert (config.base_url, config.mail_domain) == ("http://127.0.0.1:8001", "games.localhost")
    assert config.allow_anonymous
    assert config.dev_mailbox == str(folder.mail)
    assert config.smtp_listen == "127.0.0.1:8025"
    assert told["PBEM_SMTP_URL"] == f"maildir://{str(folder.mail).replace(' ', '%20')}"


@pytest.mark.parametrize("given", [{"PBEM_SMTP_URL": "smtp://mail.example.org"}, {}])
def test_who_sends_real_mail_or_can_be_reached_is_not_open(folder: DataFolder, given: dict[str, str]) -> None:
    host = "127.0.0.1" if given else "0.0.0.0"
    told = build_environment(UpOptions(host=host), folder, SMTP, given)
    assert "PBEM_OPEN" not in told
    assert "PBEM_DEV_MAILBOX" not in told


def test_what_the_caller_has_set_stays(folder: DataFolder) -> None:
    given = {
        "PBEM_BASE_URL": "https://games.example.org",
        "PBEM_MAIL_DOMAIN": "games.example.org",
        "PBEM_SECRET_KEYS": "k" * 32,
        "PBEM_OPEN": "0",
        "PYTHONPATH": "/elsewhere",
    }
    told = build_environment(UpOptions(), folder, SMTP, given | {"PBEM_SMTP_URL": ""})
    assert given.items() - told.items() == {("PYTHONPATH", "/elsewhere")}
    assert told["PYTHONPATH"].endswith(":/elsewhere")
    # Set to nothing is not set.
    assert told["PBEM_SMTP_URL"].startswith("maildir:")
    assert not (folder.path / "secret-keys").exists()


@pytest.mark.parametrize(
    ("asked", "given", "address"),
    [
        (None, {}, ("127.0.0.1", 8025)),
        (None, {"PBEM_SMTP_LISTEN": "[::1]:2525"}, ("::1", 2525)),
        (2526, {"PBEM_SMTP_LISTEN": "[::1]:2525"}, ("127.0.0.1", 2526)),
    ],
)
def test_mail_is_taken_where_the_command_line_says_or_else_the_environment(
    asked: int | None,
    given: dict[str, str],
    address: tuple[str, int],
) -> None:
    assert smtp_address(UpOptions(smtp_port=asked), given) == address


def test_the_address_that_is_announced_can_be_reached() -> None:
    assert UpOptions(host="0.0.0.0").url == "http://127.0.0.1:8000"
    assert UpOptions(host="::", port=1).url == "http://[::1]:1"


def test_the_secret_key_is_made_once_and_private(folder: DataFolder) -> None:
    keys = folder.secret_keys()
    assert len(keys) == 64
    assert folder.secret_keys() == keys
    file = folder.path / "secret-keys"
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("old\n\nnew\n")
    assert folder.secret_keys() == "old,new"
    file.write_text("\n")
    with pytest.raises(StartError, match="holds no key: restore it"):
        folder.secret_keys()


def test_a_folder_is_used_by_one_service_at_a_time(tmp_path: Path) -> None:
    with lock_data_folder(tmp_path / "data") as folder:
        assert {path.name for path in folder.path.iterdir()} == {"lock", "log", "mail", "postgres", "run", "valkey"}
        for inner in (folder.postgres, folder.valkey, folder.mail, folder.logs, folder.run):
            assert inner.stat().st_mode & 0o777 == 0o700
        with pytest.raises(StartError, match=r"is in use by another pbem"), lock_data_folder(tmp_path / "data"):
            pass
    with lock_data_folder(tmp_path / "data"):
        pass


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(StartError, match=r"/file/data cannot be written: "),
        lock_data_folder(tmp_path / "file" / "data"),
    ):
        pass
