"""``python -m establish`` is the command ``establish``."""

from establish.proofs_check.commands.cli import main

if __name__ == "__main__":
    main()
