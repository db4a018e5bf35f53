"""Run a command and print what it and its children spent, as JSON: CPU and wall seconds, peak megabytes.

A process of its own, since a child's peak starts at the size of the process that started it.
"""

import json
import os
import sys
import time

start = time.perf_counter()
pid = os.posix_spawnp(
    sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
)
_, status, usage = os.wait4(pid, 0)
wall = time.perf_counter() - start
print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1000]))
