"""Install establish from this checkout into the environment that runs this file, and say how far it is.

Arguments: the extras, separated by commas, or ``base`` for none.
"""

import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def phases(extras: list[str]) -> Iterator[tuple[str, list[str]]]:
    """What is installed in turn, in words, and the requirement that pip is given for it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    optional = project["project"]["optional-dependencies"]
    yield "what builds it", project["build-system"]["requires"]
    for requirement in project["project"]["dependencies"]:
        yield requirement, [requirement]
    waiting = list(extras)
    for extra in waiting:
        for requirement in optional[extra]:
            if requirement.startswith("establish["):  # one extra brings another
                waiting += set(requirement[10:-1].split(",")) - set(waiting)
            else:
                yield f"{requirement} (for {extra})", [requirement]
    yield "establish", [f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)]


def main(extras: list[str]) -> None:
    start = time.monotonic()
    steps = list(phases(extras))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-qq", "install"]
    pip.append("--no-compile")  # Python compiles what is used, when it is first used
    for number, (words, requirements) in enumerate(steps, start=1):
        took = time.monotonic() - start
        print(f"[{took:3.0f} s] installing {number} of {len(steps)}: {words}", flush=True)
        constraints = str(ROOT / ".ci" / "constraints.txt")
        subprocess.run([*pip, "-c", constraints, *requirements], check=True)
    print(f"[{time.monotonic() - start:3.0f} s] installed", flush=True)


if __name__ == "__main__":
    main([name for name in sys.argv[1].split(",") if name != "base"])
