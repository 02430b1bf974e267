"""``python -m establish.proofs_check`` is the command ``establish``."""

from establish.proofs_check.cli import main

if __name__ == "__main__":
    main()
