"""The mutation engine: one node of the syntax tree changed in place, its function compiled again and swapped in.

Runs in the sandbox worker, beside the grader, and is loaded there by path: every module of this package
uses the standard library alone and imports its siblings relatively. The host's half, which decides
what to run and what the results mean, is `lens.graders.campaign`.

    edit        a change to one field of one node, and its undoing
    operators   what can be changed, one operator a file
    units       functions: their syntax, their live objects, compiling and swapping
    graph       which functions the audited call can reach, and with which constant arguments
    plan        the mutants of the reachable functions, without duplicates
    caches      what earlier calls left behind
    tracer      which line follows which, call by call
    verdicts    is this outcome the same outcome?
"""
