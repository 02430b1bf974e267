"""``establish audit``: is a mechanism private, and if not, which two datasets show it?"""

from __future__ import annotations

import os
import shlex
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from establish.proofs_check.commands.jsonfile import json_only, prepare
from establish.proofs_check.commands.options import Force
from establish.proofs_check.engine.misuse import Misuse
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.proofs_check.audit import AuditDefinition

SAMPLES, SECONDS = 20_000_000, 60.0
"""The defaults of the function ``audit``, without loading it for the help."""

HELP = """Search for two neighboring datasets that prove a mechanism is not private.

\b
TARGET is path/file.py:name or package.module:name. It may be a function mechanism(dataset, rng) that returns
a number, a tuple or an array; an object with sample(dataset, size, rng), which is faster; or an object with
law(dataset, c), the distribution of the output in the number system c, which is audited without sampling.

\b
Definition                            Dataset
  strong-er-ee, weak-er-ee, edge,     establishment sizes of one cell: (12, 3)
  node                                with --attributes 2: counts by worker attribute, ((7, 5), (3, 0))
  gedp                                establishment values: (12.0, 3.5)
                                      with --gamma 1/2,1: attribute tuples, ((12.0, 400.0),)
  dp                                  a count of records: 12
                                      with --records a,b: a tuple of records, ('a', 'b')

\b
Examples (the mechanisms of establish.impl.sample come with the package, for you to copy):
  establish audit establish.impl.sample.audit_er_ee:without_shift --definition strong-er-ee \\
      --alpha 1/10 --epsilon 2
  establish audit establish.impl.sample.audit_gedp:plain --definition gedp --mu 1 --psi sqrt \\
      --gamma 1/2
  establish audit establish.impl.sample.audit_dp:wrong_count --definition dp --epsilon 1
  establish audit my_mechanism.py:release --definition edge --epsilon 1/2 --delta 1/1000
  establish audit establish.impl.sample.audit_dp:wrong_count --definition dp --epsilon 1 --grey
  establish audit my_mechanism.py:release --definition edge --epsilon 1/2 --report audit.html
  establish audit --selftest                               audit the gallery of planted faults

\b
A search that finds no violation is not evidence of privacy.

\b
Exit status: 0 no violation was found, or a law is certified for all datasets; 1 a violation was found;
2 usage error; 3 limited: no violation was found, but the search would have missed large ones, or a law is
certified for some datasets only.
"""

USES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "strong-er-ee": (frozenset({"alpha", "epsilon"}), frozenset({"delta", "attributes"})),
    "weak-er-ee": (frozenset({"alpha", "epsilon"}), frozenset({"delta", "attributes"})),
    "edge": (frozenset({"epsilon"}), frozenset({"delta", "attributes"})),
    "node": (frozenset({"epsilon"}), frozenset({"delta", "attributes"})),
    "dp": (frozenset({"epsilon"}), frozenset({"delta", "neighbors", "records"})),
    "gedp": (frozenset({"mu", "psi", "gamma"}), frozenset()),
}
"""By definition: the options that it needs, and those that it may have."""

STATED = frozenset().union(*(needs | may for needs, may in USES.values()))
"""The options that say what a definition asks for."""

DRAWN = ("samples", "jobs", "low_bits", "sharpest")
"""The options of what is sampled."""

SELFTEST = "--selftest, which audits the gallery"


def audit(
    target: Annotated[
        str | None, typer.Argument(metavar="TARGET", help="path/file.py:name or package.module:name.")
    ] = None,
    definition: Annotated[str | None, typer.Option(metavar="NAME", help=f"One of {', '.join(USES)}.")] = None,
    alpha: Annotated[str | None, typer.Option(help="α > 0, exact: 1/10 or 0.1.")] = None,
    epsilon: Annotated[str | None, typer.Option(help="ε > 0, exact.")] = None,
    delta: Annotated[str | None, typer.Option(help="0 ≤ δ < 1, exact; default: 0.")] = None,
    mu: Annotated[str | None, typer.Option(help="μ > 0, exact.")] = None,
    psi: Annotated[
        str | None,
        typer.Option(help="sqrt, log, identity, sqrt(x+a) or log(x+a); one per attribute: sqrt,log."),
    ] = None,
    gamma: Annotated[str | None, typer.Option(help="γ ≥ 0, exact; one per attribute: 1/2,1.")] = None,
    attributes: Annotated[
        int | None, typer.Option(help="How many worker attribute values; without it, datasets are sizes.")
    ] = None,
    neighbors: Annotated[str | None, typer.Option(help="add-remove or substitution.")] = None,
    records: Annotated[str | None, typer.Option(help="The values of a record: a,b,c.")] = None,
    samples: Annotated[int, typer.Option(help="The most outputs to draw.")] = SAMPLES,
    seconds: Annotated[float, typer.Option(help="The most seconds to take; inf: no limit.")] = SECONDS,
    pairs: Annotated[
        str, typer.Option(metavar="FILE", help="Try these pairs of neighbors: JSON, [[[20], [22]], ...].")
    ] = "",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same answer.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes that call a mechanism without sample().")
    ] = None,
    low_bits: Annotated[
        bool, typer.Option("--low-bits", help="Also count what the last bits of floats reveal.")
    ] = False,
    sharpest: Annotated[
        bool, typer.Option("--sharpest", help="After a violation, use all outputs to sharpen its bound.")
    ] = False,
    grey: Annotated[
        bool, typer.Option("--grey", help="Replay one run on each pair with the same random draws.")
    ] = False,
    sensitivity: Annotated[
        float | None,
        typer.Option(min=0, help="With --grey: the most that values before the noise may change."),
    ] = None,
    json: Annotated[
        str, typer.Option("--json", metavar="FILE", help="Write the result; '-' is stdout.")
    ] = "",
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE.html", help="Write the result as a web page with drawings."),
    ] = None,
    force: Force = False,
    selftest: Annotated[
        bool, typer.Option("--selftest", help="Audit the gallery of planted faults instead.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    asked = dict(locals())
    default = {name: parameter.default for name, parameter in signature(audit).parameters.items()}
    given = {name: value for name, value in asked.items() if value != default[name]}
    if selftest:
        _require_none([name for name in given if name not in ("target", "selftest")], SELFTEST)
        _selftest(target)
        return
    if target is None:
        raise Misuse("TARGET is missing: establish audit path/file.py:name --definition ...")
    if sensitivity is not None and not grey:
        raise Misuse("sensitivity is used with --grey only")
    if report is not None and grey:
        raise Misuse("--report draws what was sampled or computed: leave --grey out")
    if grey:
        _require_none([name for name in given if name in DRAWN], "--grey, which replays one run on each pair")
    prepare(json, force)
    if report is not None:
        from establish.proofs_check.api.verify import prepare_page

        prepare_page(report, force)
    stated = {name: value for name, value in given.items() if name in STATED}
    require_options(definition, stated)

    from establish.proofs_check.api.audit import audit as run_audit
    from establish.proofs_check.api.audit_report import tell
    from establish.proofs_check.audit.question.target import load, read_pairs
    from establish.proofs_check.commands.terminal import output

    question = defined(definition, stated)
    effort = {name: asked[name] for name in ("samples", "seconds", "seed", "jobs", "low_bits", "sharpest")}
    try:
        with _staying():
            mechanism = load(target)
        listed = read_pairs(pairs) if pairs else None
        if grey:
            with _staying():
                _grey(mechanism, question, listed, seconds, seed, sensitivity, json)
            return
        with _staying():
            result = run_audit(mechanism, question, pairs=listed, **effort)
    except ParameterError:
        if debug:
            traceback.print_exc(file=sys.stderr)
        raise
    if not json_only(json, [result.to_json()]):
        for line in tell(result, question):
            output().print(line, soft_wrap=True)
    if report is not None:
        call = _call(target, {"definition": definition, **stated, **effort, "pairs": pairs or None})
        result.report(report, target=target, call=call, force=force)
    if result.violated or result.limited:
        raise typer.Exit(1 if result.violated else 3)


@contextmanager
def _staying() -> Iterator[None]:
    """os._exit in a mechanism raises SystemExit in this process: it would end with what finds nothing."""
    leave, own = os._exit, os.getpid()

    def exit_elsewhere(status: int) -> NoReturn:
        if os.getpid() != own:
            leave(status)
        raise SystemExit(status)

    os._exit = exit_elsewhere
    try:
        yield
    finally:
        os._exit = leave


def _require_none(given: list[str], other: str) -> None:
    """Raise Misuse for an option that is given and would be passed over."""
    for name in given:
        raise Misuse(f"{_option(name)} does not go with {other}: leave it out")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _call(target: str, options: dict[str, Any]) -> str:
    """The command line of these options, each that is None or False left out."""
    words = ["establish", "audit", target]
    for name, value in options.items():
        if value is True:
            words.append(_option(name))
        elif value is not None and value is not False:
            words += [_option(name), f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)


def _grey(
    mechanism: Any,
    asked: AuditDefinition,
    pairs: list[Any] | None,
    seconds: float,
    seed: int,
    declared: float | None,
    json_file: str,
) -> None:
    """Replay the pairs; exit status 1 with a fault."""
    from establish.proofs_check.api.audit_report import grey_json, tell_replays
    from establish.proofs_check.api.progress import share_bar
    from establish.proofs_check.audit.grey.grey_box import replay_all
    from establish.proofs_check.commands.terminal import output

    with share_bar("auditing") as progress:
        done = replay_all(
            mechanism, asked, pairs=pairs, seconds=seconds, seed=seed, declared=declared, progress=progress
        )
    if not json_only(json_file, grey_json(done, asked)):
        for line in tell_replays(done, asked):
            output().print(line, soft_wrap=True)
    if done.faults:
        raise typer.Exit(1)


def require_options(name: str | None, given: dict[str, Any]) -> None:
    """Raise ParameterError for an unknown definition, and for too few or too many options."""
    if name is None or name not in USES:
        what = "is missing" if name is None else f"= {name} is not known"
        raise ParameterError(f"definition {what}: choose one of {', '.join(USES)}")
    needs, may = USES[name]
    for option in (*needs, *given):
        if option not in given:
            raise ParameterError(f"{option} is missing: {name} needs it (--{option})")
        if option not in needs | may:
            raise ParameterError(f"{option} = {given[option]} is not used by {name}")


def defined(name: str | None, given: dict[str, Any]) -> AuditDefinition:
    """The definition that the options ask for. Raises ParameterError as `require_options` does."""
    require_options(name, given)

    from establish.proofs_check.audit.question import definitions

    chosen = dict(given)
    if "records" in chosen:
        chosen["records"] = tuple(given["records"].split(","))
    for option in ("gamma", "psi"):
        if "," in given.get(option, ""):
            chosen[option] = tuple(given[option].split(","))
    made: AuditDefinition = getattr(definitions, str(name).replace("-", "_"))(**chosen)
    return made


def _selftest(target: str | None) -> None:
    if target is not None:
        raise Misuse("--selftest audits the gallery: leave TARGET out")

    from establish.proofs_check.audit.selftest import run

    if not run():
        raise typer.Exit(1)
