"""Spark sessions: inside this machine, on a standalone cluster, or behind a Spark Connect server.

What Spark says on its error stream may quote confidential rows, so it goes nowhere; what went wrong is told
by the kind of the error. Executors keep logs of their own: see SECURITY.md.
"""

import os
import re
import shutil
import socket
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import Any

from establish.impl.tabulate.engine import Engine, spark
from establish.spec.parameters import ParameterError

DEFAULT_MASTER = "local[*]"
"""Spark inside this process and its JVM, on all cores."""

FORMS = "local[N], spark://HOST:PORT or sc://HOST[:PORT]"
"""What ``--master`` accepts, for messages."""

_LOCAL = re.compile(r"local(\[([1-9][0-9]{0,3}|\*)\])?")
_STANDALONE = re.compile(r"spark://[^\s,:/]+:[0-9]{1,5}(,[^\s,:/]+:[0-9]{1,5})*")
_CONNECT = re.compile(r"sc://([^\s,:/;]+)(:[0-9]{1,5})?(/.*)?")
_CONNECT_PORT = 15002

_OF_CONNECT = ("grpc", "grpc_status", "google.rpc", "zstandard")
"""The modules without which PySpark cannot speak to a Spark Connect server."""

PATIENCE = 5.0
"""Seconds in which a host must answer."""

WORKERS = 60.0
"""Seconds in which a cluster must give the first executor."""

Settings = Mapping[str, str]

QUIET: Settings = {
    "spark.log.level": "OFF",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
"""No page that shows queries, no progress bar over that of the command."""


LITTLE: Settings = {
    "spark.sql.autoBroadcastJoinThreshold": "2m",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "-1",
}
"""What is joined by sending it to every executor passes through the driver: lists of values, and no more."""


def require_master(master: str) -> None:
    """Raise ParameterError for a master of another form than FORMS."""
    if not any(form.fullmatch(master) for form in (_LOCAL, _STANDALONE, _CONNECT)):
        raise ParameterError(f"--master = {master} is not a master: write it as {FORMS}")


@contextmanager
def spark_at(master: str = DEFAULT_MASTER) -> Iterator[Engine]:
    """Spark at ``master``; the session ends with the block.

    Raises ParameterError, in one line, for a master of an unknown form or that does not answer, where
    there is no Java, and where no worker offers itself; ModuleNotFoundError without PySpark.
    """
    require_master(master)
    import pyspark  # noqa: F401  # of an extra; told before anything is tried

    remote = master.startswith("sc://")
    if remote:
        for name in _OF_CONNECT:
            if not _is_installed(name):
                raise ParameterError(
                    f"--master = {master} needs {name}, which is not installed: pip install "
                    "'.[spark]' in a clone"
                )
    elif not _has_java():
        raise ParameterError(
            f"--engine spark with --master = {master} needs Java 17 or later, and there is no java on the "
            "path, nor JAVA_HOME"
        )
    for host, port in _hosts(master):
        _require_answer(master, host, port)
    with warnings.catch_warnings(), _session(master, remote) as session:
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        warnings.filterwarnings("ignore", "'verifySchema' is ignored")
        if master.startswith("spark://"):
            _require_workers(master, session)
        yield spark(session)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a module above it
        return False


def _has_java() -> bool:
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java") is not None or bool(home and os.path.exists(f"{home}/bin/java"))


def _hosts(master: str) -> list[tuple[str, int]]:
    if _LOCAL.fullmatch(master):
        return []
    if found := _CONNECT.fullmatch(master):
        return [(found[1], int((found[2] or f":{_CONNECT_PORT}")[1:]))]
    pairs = (place.rpartition(":") for place in master.removeprefix("spark://").split(","))
    return [(host, int(port)) for host, _, port in pairs]


def _require_answer(master: str, host: str, port: int) -> None:
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or "no answer"
        raise ParameterError(f"--master = {master} cannot be reached: {host}:{port} says {why}") from None


@contextmanager
def _session(master: str, remote: bool) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.Builder()
    if remote:
        builder = builder.remote(master)
    else:
        builder = builder.master(master).appName("establish")
        for key, value in QUIET.items():
            builder = builder.config(key, value)
        if _LOCAL.fullmatch(master):
            builder = builder.config("spark.driver.host", "127.0.0.1")
            builder = builder.config("spark.driver.bindAddress", "127.0.0.1")
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            builder = builder.config("spark.sql.shuffle.partitions", str(4 * (os.cpu_count() or 1)))
    try:
        with _without_its_messages():
            session = builder.getOrCreate()
        for key, value in LITTLE.items():
            session.conf.set(key, value)
    except Exception as error:  # of the JVM or of gRPC: what it says may be long, or of the data
        raise ParameterError(
            f"--master = {master} gave no session ({type(error).__name__}): is it Spark 4, of the version of "
            "PySpark here?"
        ) from None
    try:
        yield session
    finally:
        with suppress(Exception), _without_its_messages():
            session.stop()


@contextmanager
def _without_its_messages() -> Iterator[None]:
    """What a JVM that is started here writes to its error stream goes nowhere, now and later."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _require_workers(master: str, session: Any) -> None:
    """Raise ParameterError when no executor offers itself: a job would wait for ever."""
    end = time.monotonic() + WORKERS
    while session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 2:  # one is the driver
        if time.monotonic() > end:
            raise ParameterError(
                f"--master = {master} has no worker that takes the work within {WORKERS:.0f} seconds: are "
                "workers running, with cores and memory that are free?"
            )
        time.sleep(0.1)
