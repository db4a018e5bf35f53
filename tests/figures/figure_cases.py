"""One case a figure and its notable options: name, id, options."""

from __future__ import annotations

CARD = "graders/toy"
MODEL = "models/organism-made"
RUN = "runs/made-run"
CASES: dict[str, tuple[str, str, dict[str, str]]] = {
    "kill-matrix": ("kill-matrix", f"{CARD}/kill-matrix", {}),
    "kill-matrix-sampled": ("kill-matrix", "graders/second/kill-matrix", {}),
    "kill-matrix-front": ("kill-matrix-front", f"{CARD}/kill-matrix,graders/second/kill-matrix", {}),
    "accept": ("accept-reject", f"{CARD}/variants", {"side": "accept"}),
    "reject": ("accept-reject", f"{CARD}/variants", {"side": "reject", "limit": "20"}),
    "survivors": ("survivors", f"{CARD}/survivors", {}),
    "coverage-lines": ("coverage-lines", f"{CARD}/branch-coverage", {}),
    "adequacy-curve": ("adequacy-curve", f"{CARD}/kill-matrix", {}),
    "adequacy-curve-sampled": ("adequacy-curve", "graders/second/kill-matrix", {}),
    "time-growth": ("time-growth", f"{CARD}/time-growth", {}),
    "evidence-history": (
        "evidence-history",
        f"{CARD}/kill-matrix",
        {
            "entries": f"{CARD}/reported~public-card#killed public card; {CARD}/kill-matrix#gold.killed gold_pairs;"
            f"graders/second/kill-matrix#gold.killed",
            "unit": "share_of_mutants_noticed",
        },
    ),
    "exploits": ("exploits", f"{CARD}/exploits", {}),
    "bench": ("bench", "project/evidence-lens/bench", {}),
    "states": (
        "states",
        f"{CARD}/kill-matrix",
        {"zero": f"{CARD}/variants#accept.last-digit", "reported": f"{CARD}/reported~public-card#killed"},
    ),
    "preference": ("preference", f"{MODEL}/preference", {}),
    "preference-limited": ("preference", "models/quiet-8b/preference", {"limit": "2"}),
    "depth-curve": ("depth-curve", f"{MODEL}/reward-lens", {}),
    "depth-axes": ("depth-axes", f"{MODEL}/reward-lens", {}),
    "depth-axes-frozen": ("depth-axes", f"{MODEL}/reward-lens", {"mode": "frozen"}),
    "crystallization": ("crystallization", f"{MODEL}/crystallization", {}),
    "attribution": ("attribution", f"{MODEL}/attribution", {}),
    "attribution-heads": ("attribution-heads", f"{MODEL}/attribution", {}),
    "patch-positions": ("patch-grid", f"{MODEL}/patching", {}),
    "patch-heads": ("patch-grid", f"{MODEL}/patching", {"grid": "head"}),
    "patch-components": (
        "patch-grid",
        f"{MODEL}/patching",
        {"grid": "component", "modes": "noising-denoising-zero-mean-resample"},
    ),
    "patch-depth": ("patch-depth", f"{MODEL}/patching", {}),
    "rank-agreement": ("rank-agreement", f"{MODEL}/faithfulness", {}),
    "bias": ("bias", f"{MODEL}/bias-battery", {}),
    "hacking-doses": ("hacking-doses", f"{MODEL}/hacking-probes", {}),
    "concept-doses": ("concept-doses", f"{MODEL}/concepts", {}),
    "concept-cosines": ("concept-cosines", f"{MODEL}/concepts", {}),
    "geometry": ("geometry", f"{MODEL}/geometry", {}),
    "agreement": ("agreement", "models/made-panel/agreement", {}),
    "update-partition": ("update-partition", f"{RUN}/update-partition", {}),
    "cancellation": ("cancellation", f"{RUN}/update-partition", {}),
    "gradient-norm": ("gradient-norm", f"{RUN}/gradient-norm", {}),
    "policy-response": ("policy-response", f"{RUN}/policy-response", {}),
    "policy-response-bare": ("policy-response", "runs/bare-run/policy-response", {}),
}
