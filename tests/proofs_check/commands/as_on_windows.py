"""Runs a command where what Windows does not have is missing: locks, forks, and their signals."""

import multiprocessing
import multiprocessing.context
import os
import signal
import sys

MODULES = (
    "fcntl",
    "resource",
    "pwd",
    "grp",
    "multiprocessing.forkserver",
    "multiprocessing.popen_forkserver",
)
SIGNALS = ("SIGHUP", "SIGKILL", "SIGALRM", "SIGUSR1", "SIGQUIT", "pthread_sigmask", "setitimer")
CALLS = ("fork", "register_at_fork", "geteuid", "fchmod", "O_NOFOLLOW", "O_DIRECTORY", "sched_getaffinity")

sys.modules.update(dict.fromkeys(MODULES))
for module, names in ((signal, SIGNALS), (os, CALLS)):
    for name in names:
        vars(module).pop(name, None)
multiprocessing.get_all_start_methods = lambda: ["spawn"]

if __name__ == "__main__":
    from establish.proofs_check.commands.cli import main

    main()
