"""Print what is on disk after 1,000 kills of releasing processes; fails when the ledger did."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "impl" / "crash.py"

with tempfile.TemporaryDirectory() as folder:
    start = time.perf_counter()
    subprocess.run([sys.executable, str(SCRIPT), "1000", folder, "7"], check=True)
    print(f"{time.perf_counter() - start:.1f} s")
