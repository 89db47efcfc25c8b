import os
import signal
import time
from pathlib import Path

import redis
from kombu import Connection

from pbem.ops.up.process import running
from pbem.ops.up.valkey import Broker


def test_celery_and_redis_reach_the_broker_by_their_own_urls(broker: Broker, valkey: str) -> None:
    with Connection(valkey) as connection:
        queue = connection.SimpleQueue("test_valkey")
        queue.put({"match": 1})
        assert queue.get(timeout=5).payload == {"match": 1}
        queue.close()
    with redis.Redis.from_url(broker.client_url) as client:
        assert client.ping()


def test_a_path_with_spaces_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "my games").mkdir()
    broker = Broker.in_folder(tmp_path / "my games" / "valkey")
    with running(broker.part(tmp_path / "log")), Connection(broker.url) as connection:
        connection.ensure_connection(max_retries=1)
        assert broker.ready()
    assert not broker.ready()


def test_what_was_kept_survives_a_kill(tmp_path: Path) -> None:
    broker = Broker.in_folder(tmp_path / "valkey")
    part = broker.part(tmp_path / "log")
    with running(part) as run, redis.Redis.from_url(broker.client_url) as client:
        client.set("kept", "yes")
        os.kill(run.process.pid, signal.SIGKILL)
        while run.poll() is None:
            time.sleep(0.02)
    with running(part), redis.Redis.from_url(broker.client_url) as client:
        assert client.get("kept") == b"yes"


def test_what_is_not_kept_leaves_no_file(tmp_path: Path) -> None:
    broker = Broker.in_folder(tmp_path / "valkey", keep=False)
    with running(broker.part(tmp_path / "log")), redis.Redis.from_url(broker.client_url) as client:
        client.set("kept", "no")
    assert list(broker.data.iterdir()) == []
