__version__ = "0.1.0"

from importlib import import_module as _import_module
from typing import Any as _Any

# Where each public name lives. A module is loaded when one of its names is first asked for; __init__.pyi tells type checkers the same.
_PUBLIC = {
    "relevance": "DataError Qrels Ranking Run from_scores",
    "files": "check read_qrels read_run to_frame write_qrels write_run",
    "hits": "Conventions Hits match",
    "measure": "Measure MeasureError Param Steps",
    "measures.set_based": "P R F1 F f_measure from_counts",
    "measures.cutoffs": "Success Rprec Judged",
    "measures.pr_curve": "IPrec ElevenPoint precision_recall_curve",
    "measures.average_precision": "AP GMAP",
    "measures.first_hit": "RR MeanRank",
    "measures.dcg": "DCG nDCG",
    "measures.user_models": "RBP ERR",
    "measures.roc": "AUC roc_curve",
    "measures.incomplete": "bpref infAP",
    "measures.catalogue": "MEASURES parse",
    "presets": "PRESETS preset",
    "evaluation": "Evaluation evaluate",
    "conventions": "conventions_table diagnose",
    "comparison": "Comparison compare compare_values",
    "agreement": "kendall_tau overlap rank_agreement rbo tau_ap",
    "plots": "agreement_matrix contribution_bars difference_bars interval_forest",
}
_HOME = {name: module for module, names in _PUBLIC.items() for name in names.split()}
__all__ = list(_HOME)


def __getattr__(name: str) -> _Any:
    if name not in _HOME: raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(_import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]: return [*globals(), *_HOME]
