"""A throw-away PostgreSQL of the tests: a server of its own on a socket in a folder of its own."""

import contextlib
import os
import pwd
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

SUPERUSER = "postgres"
PASSWORD = "s3cret-w@rd"


def binaries() -> Path | None:
    """Where the programs of the server are; None where it is not installed."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if on_path := shutil.which("postgres"):
        found.append(Path(on_path).resolve().parent)
    found = [path for path in found if (path / "initdb").exists()]
    return max(found, key=lambda path: path.as_posix(), default=None)


def version_of(programs: Path) -> int:
    """The main number of a server's version."""
    said = subprocess.run([programs / "postgres", "-V"], capture_output=True, text=True, check=True)
    return int(re.search(r"\d+", said.stdout).group())


def nobody() -> dict[str, object]:
    """Whom the server runs as: it refuses to be root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise AssertionError("no user here that a server could run as")


class Postgres:
    """A server, as it is installed but for where it listens: its disk is waited for."""

    def __init__(self, programs: Path) -> None:
        self.programs, self.runs_as = programs, nobody()
        # a socket's name may not be long
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        if self.runs_as:
            os.chown(self.folder, self.runs_as["user"], self.runs_as["group"])
        self.data = self.folder / "data"
        self.run("initdb", "-A", "trust", "-U", SUPERUSER, "-E", "UTF8", "--locale=C", "--no-sync")
        rules = "local all keyed scram-sha-256\nlocal all all trust\n"
        (self.data / "pg_hba.conf").write_text(rules)
        settings = (
            "listen_addresses = ''",
            f"unix_socket_directories = '{self.folder}'",
            "shared_buffers = '16MB'",
            "autovacuum = off",
            "jit = off",
        )
        if version_of(programs) >= 14:  # after a crash it need not go through every file
            settings += ("recovery_init_sync_method = 'syncfs'",)
        with (self.data / "postgresql.conf").open("a") as file:
            file.write("\n".join(settings) + "\n")
        self.start()

    def run(self, program, *arguments):
        subprocess.run(
            [self.programs / program, "-D", self.data, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            **self.runs_as,
        )

    def start(self):
        self.run("pg_ctl", "start", "-w", "-s", "-t", "300", "-l", self.folder / "log")

    def stop(self, how="fast"):
        self.run("pg_ctl", "stop", "-w", "-s", "-m", how)

    def remove(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder)

    def database(self, name: str) -> str:
        """The name of a database with nothing in it; one there is emptied: another costs files."""
        if not self.sql(f"SELECT 1 FROM pg_database WHERE datname = '{name}'"):
            self.sql(f"CREATE DATABASE {name}")
            return name
        self.sql(
            "DROP SCHEMA IF EXISTS averse CASCADE",
            "DROP SCHEMA public CASCADE",
            "CREATE SCHEMA public",
            database=name,
        )
        return name

    def address(self, database, role=SUPERUSER, password="", folder=None):
        who = f"{role}:{quote(password, safe='')}" if password else role
        return f"postgresql+psycopg://{who}@/{database}?host={folder or self.folder}"

    def sql(self, *statements, database=SUPERUSER, role=SUPERUSER):
        """What the last of some statements returns, each in a transaction of its own."""
        where = f"host={self.folder} dbname={database} user={role}"
        with psycopg.connect(where, autocommit=True) as connection:
            for statement in statements:
                found = connection.execute(statement)
            return found.fetchall() if found.description else []

    def cut(self, database):
        """End all connections to a database, as a restart or a cable would."""
        self.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            f"WHERE datname = '{database}' AND application_name = 'averse'"
        )
        while self.sql(
            f"SELECT 1 FROM pg_stat_activity WHERE datname = '{database}' "
            "AND application_name = 'averse'"
        ):
            time.sleep(0.01)
