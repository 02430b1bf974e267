"""The command ``establish``: each command is imported when it is called."""

import codecs
import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any, NamedTuple, cast

import typer
from typer.core import TyperGroup

from establish.impl.certificate import CertificateError
from establish.proofs_check.api.memory import is_short, require_libraries
from establish.proofs_check.commands.options import OnceEach, application
from establish.proofs_check.engine.extras import how_to_install, library_of
from establish.proofs_check.engine.ledger import LedgerError
from establish.proofs_check.engine.misuse import Misuse
from establish.spec.parameters import ParameterError

_UsageError = cast(type[Exception], typer.BadParameter.__base__)
"""What the command line raises for options and arguments that it cannot read."""


class _Home(NamedTuple):
    """Where a command is written, below ``establish.proofs_check.commands``, and what it does."""

    module: str
    function: str
    summary: str


COMMANDS = {
    "check": _Home("check", "check", "Check claims and compare their verdicts with the ledger."),
    "list": _Home("list", "list_claims", "List claims with their places and recorded verdicts."),
    "show": _Home("show", "show", "Show one claim: verdict, evidence and derivation."),
    "report": _Home("report", "report", "Write a website of all claims, with drawings of refutations."),
    "notes": _Home("notes", "notes", "Write a note for the authors of each refuted statement."),
    "formal": _Home("formal", "formal", "List the theorems that Coq accepted."),
    "coverage": _Home("coverage", "coverage", "Show which claim covers each sentence of a source."),
    "trust": _Home("trust", "trust", "List what you must trust to believe the verdicts."),
    "export": _Home("export", "export", "Write proofs as files that an independent program can check."),
    "recheck": _Home("recheck", "recheck", "Check exported proofs with a small independent program."),
    "mechanisms": _Home("mechanisms", "mechanisms", "Show what is known about each mechanism."),
    "imply": _Home("imply", "imply", "Decide whether a definition implies a requirement."),
    "table1": _Home("table1", "table1", "Compute Table 1 of Haney et al. 2017."),
    "compare": _Home("compare", "compare", "Compare the errors of the mechanisms for counts."),
    "limit": _Home("limit", "limit", "Show the least noise that any private mechanism must add."),
    "convert": _Home("convert", "convert", "Convert between ε, (ε, δ), μ, ρ and Rényi divergences."),
    "audit": _Home("audit", "audit", "Search your mechanism for a violation of privacy."),
    "release": _Home("release", "", "Release counts, earnings or a whole plan, with noise."),
    "budget": _Home("budget", "budget", "Show what a plan costs and how much budget is left."),
    "verify": _Home("verify", "verify", "Verify a release against its record."),
    "describe": _Home("describe", "describe", "Describe a release for readers, a registry or NIST."),
    "keys": _Home("keys", "", "Create keys for signing records."),
    "sample": _Home("sample", "sample", "Write the example files of the documentation."),
    "tabulate": _Home("tabulate", "tabulate", "Count jobs by cell, without noise."),
    "synthesize": _Home("synthesize", "synthesize", "Generate synthetic establishment microdata."),
    "synthesize-jobs": _Home("synthesize_jobs", "synthesize_jobs", "Generate synthetic job tables."),
    "evaluate": _Home("evaluate", "evaluate", "Run the experiments of a paper."),
    "suppress": _Home("suppress", "", "Audit or plan cell suppression."),
    "schema": _Home("schema", "schema", "Print the JSON Schema of what a command writes."),
    "certify": _Home("certify", "certify", "Check the mechanisms and write their certificates."),
}
"""The commands in the order of the help; one without a function is a group of commands."""


class _ClosedError(Exception):
    """Nobody reads standard output any more."""


@contextmanager
def _noticing_closed_output() -> Iterator[None]:
    """Raise _ClosedError for a broken pipe, which the command line library ends with 1: "violated"."""
    try:
        yield
    except BrokenPipeError:
        raise _ClosedError from None


class _Commands(TyperGroup):
    """The commands of COMMANDS, each imported when it is called, none for the help."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        with _noticing_closed_output():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with _noticing_closed_output():
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, home.summary) for name, home in COMMANDS.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        self.commands = cast(Any, dict.fromkeys(COMMANDS))  # what a misspelled name is compared with
        return super().resolve_command(ctx, args)


@cache
def _command(name: str) -> Any:
    """The command, which is made once however often a process calls it."""
    home = COMMANDS[name]
    module = import_module(f"establish.proofs_check.commands.{home.module}")
    if not home.function:
        return typer.main.get_command(module.app)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(name, cls=OnceEach, help=module.HELP)(getattr(module, home.function))
    return typer.main.get_command(single)


app = application(
    add_completion=True,
    cls=_Commands,
    help="Check published privacy claims about establishment statistics, and release tables with the "
    "mechanisms that pass.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        from establish.impl.certificate import seal
        from establish.proofs_check.engine.fingerprint import library_versions

        print(f"establish {version('establish')}")
        print(f"certificates: {seal()}")
        print(", ".join(f"{name} {number}" for name, number in library_versions().items()))
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version, and the versions of the libraries behind the verdicts.",
        ),
    ] = False,
) -> None: ...


GARBAGE = 100_000
"""New objects before Python looks for cycles: nearly all that a command makes at its start stays."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; ``arguments`` default to those of the process.

    Ends by SystemExit: 0 for success, 1 for a difference, 2 for misuse, said in one line on stderr, and
    CLOSED when nobody reads what is printed.
    """
    gc.set_threshold(GARBAGE)
    _let_termination_interrupt()
    _let_all_be_printed()
    try:
        status = _run(arguments)
        print(end="", flush=True)
    except (_ClosedError, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = CLOSED
    raise SystemExit(status)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        require_libraries()
        status: int | None = app(arguments, prog_name="establish", standalone_mode=False)
    except _UsageError as error:
        return _misuse(error)
    except typer.Abort:
        return 1
    except _ClosedError:
        raise
    except Exception as error:
        message = _in_one_line(error)
        if message is None:
            raise
        print(f"establish: error: {message}", file=sys.stderr)
        return 2
    if status == INTERRUPTED:
        command = next(iter(sys.argv[1:] if arguments is None else arguments), "")
        spent = "; establish budget --ledger FILE tells whether a release was spent"
        print(f"establish: interrupted{spent if command == 'release' else ''}", file=sys.stderr)
    return status or 0


def _let_all_be_printed() -> None:
    """What standard output cannot encode is printed as ``\\u03b1``, which JSON reads, too."""
    codecs.register_error("as-json", _as_json)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="as-json")


def _as_json(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4)), error.end


CLOSED = 141
"""The status when nobody reads standard output any more: what shells say of SIGPIPE."""

INTERRUPTED = 130
"""The status of a command that a signal ended: what shells say of SIGINT."""


def _let_termination_interrupt() -> None:
    """SIGTERM and SIGHUP end a command as SIGINT does: what is half done is put away first."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with suppress(ValueError):  # not the main thread, which alone hears signals
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):  # Windows has no SIGHUP
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, interrupt)


def _misuse(error: Any) -> int:
    """Say what the command line could not read, or show the help where nothing was given."""
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message())
        return 2
    words = " ".join(error.format_message().split())
    path = error.ctx.command_path if error.ctx else "establish"
    print(f"establish: error: {words} (see {path} --help)", file=sys.stderr)
    return 2


def _in_one_line(error: Exception) -> str | None:
    """What the user is told about an error that is theirs to mend; None for a fault of ours.

    A message of the database may quote confidential values, so that only its kind is told.
    """
    if isinstance(error, Misuse | ParameterError | LedgerError | CertificateError) and not is_short(error):
        return str(error)
    if is_short(error):
        return "memory is used up: use smaller tables, or a machine with more memory"
    if isinstance(error, ModuleNotFoundError) and (library := library_of(error)):
        return f"this needs {library}, which is not installed: {how_to_install(library)}"
    if isinstance(error, OSError):  # of a file that nothing else could be said about
        name = "" if error.filename is None else f": {str(error.filename)[:200]}"
        return f"{error.strerror}{name}"
    if type(error).__module__ == "_duckdb":
        return f"the database could not finish ({type(error).__name__})"
    return None
