"""The box a grader runs in: a worker process of its own, and the parent that alone keeps time.

session.py       what the rest of the package uses: `Session(subject).evaluate(rows)`
process.py       one worker process: started, fed, timed, ended with everything it left
procfs.py        what the system says about processes (Linux)
limits.py        what a grader may use
worker.py        the child: standard library only, started by exec, isolated before it reads the grader
isolate.py       how the child confines itself
placeholders.py  loading one module of a package without the rest; stand-ins for what is missing
outcomes.py      a call of the grader, and whatever it does, as one plain list
jobs/            what a worker can be asked to do, one a file
"""
