from rankmetrics_nb.agreement import kendall_tau as kendall_tau, overlap as overlap, rank_agreement as rank_agreement, rbo as rbo, tau_ap as tau_ap
from rankmetrics_nb.comparison import Comparison as Comparison, compare as compare, compare_values as compare_values
from rankmetrics_nb.conventions import conventions_table as conventions_table, diagnose as diagnose
from rankmetrics_nb.evaluation import Evaluation as Evaluation, evaluate as evaluate
from rankmetrics_nb.files import check as check, read_qrels as read_qrels, read_run as read_run, to_frame as to_frame, write_qrels as write_qrels, write_run as write_run
from rankmetrics_nb.hits import Conventions as Conventions, Hits as Hits, match as match
from rankmetrics_nb.measure import Measure as Measure, MeasureError as MeasureError, Param as Param, Steps as Steps
from rankmetrics_nb.measures.average_precision import AP as AP, GMAP as GMAP
from rankmetrics_nb.measures.catalogue import MEASURES as MEASURES, parse as parse
from rankmetrics_nb.measures.cutoffs import Judged as Judged, Rprec as Rprec, Success as Success
from rankmetrics_nb.measures.dcg import DCG as DCG, nDCG as nDCG
from rankmetrics_nb.measures.first_hit import RR as RR, MeanRank as MeanRank
from rankmetrics_nb.measures.incomplete import bpref as bpref, infAP as infAP
from rankmetrics_nb.measures.pr_curve import ElevenPoint as ElevenPoint, IPrec as IPrec, precision_recall_curve as precision_recall_curve
from rankmetrics_nb.measures.roc import AUC as AUC, roc_curve as roc_curve
from rankmetrics_nb.measures.set_based import F1 as F1, F as F, P as P, R as R, f_measure as f_measure, from_counts as from_counts
from rankmetrics_nb.measures.user_models import ERR as ERR, RBP as RBP
from rankmetrics_nb.plots import agreement_matrix as agreement_matrix, contribution_bars as contribution_bars, difference_bars as difference_bars, interval_forest as interval_forest
from rankmetrics_nb.presets import PRESETS as PRESETS, preset as preset
from rankmetrics_nb.relevance import DataError as DataError, Qrels as Qrels, Ranking as Ranking, Run as Run, from_scores as from_scores

__version__: str
