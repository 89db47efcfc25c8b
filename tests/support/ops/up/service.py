"""The service with small programs in place of its own: `python service.py DATA PORT SMTP_PORT`.

They are real processes, and the database and the broker are the real ones.
"""

import sys
from pathlib import Path

from pbem.ops.up.folder import DataFolder
from pbem.ops.up.service_processes import Programs
from pbem.ops.up.settings import UpOptions
from pbem.ops.up.up import up

UPGRADE = """
import os, psycopg
with psycopg.connect(os.environ["DATABASE_URL"].replace("+psycopg", "")) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS starts (at timestamptz)")
    connection.execute("INSERT INTO starts VALUES (now())")
"""
WEB = """
import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(os.environ["PBEM_BASE_URL"].encode())
HTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
"""
MAIL = """
import os, socket
host, _, port = os.environ["PBEM_SMTP_LISTEN"].rpartition(":")
server = socket.create_server((host, int(port)))
while True:
    with server.accept()[0] as line: line.sendall(b"220 hello\\r\\n")
"""
WORKER = """
import os, redis, signal
redis.Redis.from_url(os.environ["REDIS_URL"].replace("redis+socket:", "unix:")).ping()
signal.pause()
"""


def python(code: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code, *arguments)


def programs(wishes: UpOptions, _folder: DataFolder) -> Programs:
    return Programs(python(UPGRADE), python(WEB, str(wishes.port)), python(WORKER), python(MAIL))


if __name__ == "__main__":
    data, port, smtp_port = sys.argv[1:]
    sys.exit(up(UpOptions(Path(data), port=int(port), smtp_port=int(smtp_port)), programs))
