"""The commands of ``establish``, one file each."""
