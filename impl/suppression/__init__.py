"""What an attacker can work out about suppressed cells: exact intervals, with certificates."""
