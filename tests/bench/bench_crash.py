"""Print what is found in many trials, and how long they take; fails when one of them breaks an invariant.

What is on disk after 1,000 kills of releasing processes, what 5,000 states of a disk after a crash hold, and
how the commands end on 20,000 odd inputs.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).parents[1]

for script, trials in (
    ("impl/crash.py", "1000"),
    ("impl/replay.py", "5000"),
    ("proofs_check/commands/fuzz.py", "20000"),
):
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        place = [folder] if script.startswith("impl") else []
        subprocess.run([sys.executable, str(TESTS / script), trials, *place, "7"], check=True)
        print(f"{script}: {time.perf_counter() - start:.1f} s", flush=True)
