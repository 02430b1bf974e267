"""Print how the commands end on 20,000 odd inputs; fails at a traceback, or a value of the data."""

import subprocess
import sys
import time
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "proofs_check" / "commands" / "fuzz.py"

start = time.perf_counter()
subprocess.run([sys.executable, str(SCRIPT), "20000", "7"], check=True)
print(f"{time.perf_counter() - start:.1f} s")
