from pbem.up import postgres as postgres_module
from pbem.up.postgres import Cluster
from tests.support.up.postgres import connect


def test_the_cluster_speaks_utf_8_whatever_the_language_setting(cluster: Cluster, postgres: str) -> None:
    small = "é" if cluster.version >= postgres_module.BUILTIN_LOCALE_SINCE else "É"
    with connect(postgres) as connection:
        row = connection.execute("SELECT lower('É'), current_setting('server_encoding'), current_database()").fetchone()
    assert row == (small, "UTF8", "pbem")


def test_the_server_listens_on_no_port(postgres: str) -> None:
    with connect(postgres) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_its_folders_are_private(cluster: Cluster) -> None:
    assert cluster.data.stat().st_mode & 0o777 == 0o700
    assert cluster.sockets.stat().st_mode & 0o777 == 0o700


def test_a_test_has_a_database_of_its_own(database_url: str, shared_database_url: str) -> None:
    with connect(database_url) as own, connect(shared_database_url) as shared:
        own.execute("CREATE TABLE only_here ()")
        assert own.execute("SELECT to_regclass('only_here')").fetchone() == ("only_here",)
        assert shared.execute("SELECT to_regclass('only_here')").fetchone() == (None,)
