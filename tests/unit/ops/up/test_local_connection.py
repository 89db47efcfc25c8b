from pathlib import Path

import pytest

from pbem.ops.up.errors import StartError
from pbem.ops.up.local_connection import open_database, read_secret_keys


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartError, match="cannot be written"), open_database(tmp_path / "file" / "data", make=True):
        pass


def test_secret_keys_are_read_and_never_made(tmp_path: Path) -> None:
    assert read_secret_keys(tmp_path, {}) == ()
    assert not [*tmp_path.iterdir()]
    (tmp_path / "secret-keys").write_text("old\nnew\n")
    assert read_secret_keys(tmp_path, {}) == ("old", "new")
    assert read_secret_keys(tmp_path, {"PBEM_SECRET_KEYS": "one,two"}) == ("one", "two")
