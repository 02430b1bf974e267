"""Print how many seconds `establish check --fresh` takes, with one process and with all."""

import os
import subprocess
import sys
import time


def seconds(jobs: int) -> float:
    command = [sys.executable, "-m", "establish", "check", "--fresh"]
    start = time.perf_counter()
    subprocess.run([*command, "--jobs", str(jobs)], stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


for jobs in sorted({1, os.cpu_count() or 1}):
    print(f"establish check --fresh --jobs {jobs}: {seconds(jobs):.1f} s", flush=True)
