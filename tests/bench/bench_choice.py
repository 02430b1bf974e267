"""Print processor seconds of the default choice of a mechanism by α, at ε = 1: all errors, then one more.

The second figure is what a release pays that describes the mechanism that was chosen. Nobody else chooses so
by itself, so there is no peer. Each α has a process of its own.
"""

import subprocess
import sys

ALPHAS = ("1/10", "1/100", "1/1000", "1/10000", "1/100000", "1/1000000")
SCRIPT = """
from fractions import Fraction
from sys import argv
from time import process_time
from establish.impl.mechanisms.least_error import chosen
start = process_time()
choice = chosen(Fraction(argv[1]), Fraction(1), largest=False).mechanism
middle = process_time()
choice.expected_error
print(f"{argv[1]:12}{middle - start:9.3f}{process_time() - middle:12.4f}  {choice.name}")
"""


def main() -> None:
    print(f"{'α':12}{'choice':>9}{'described':>12}  chosen")
    for alpha in ALPHAS:
        subprocess.run([sys.executable, "-c", SCRIPT, alpha], check=True)


if __name__ == "__main__":
    main()
