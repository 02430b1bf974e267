"""Print what 5,000 states of a disk after a crash hold; fails when one of them breaks an invariant."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "impl" / "replay.py"

with tempfile.TemporaryDirectory() as folder:
    start = time.perf_counter()
    subprocess.run([sys.executable, str(SCRIPT), "5000", folder, "7"], check=True)
    print(f"{time.perf_counter() - start:.1f} s")
