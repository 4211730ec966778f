"""What a case says about the rules of keys: each key explained or not, each hypothesis for and against.

Everything here reads an opened case and nothing else. What a transcript cannot decide is called undecided and
is never counted as support.
"""

from forensics.assumptions.baseline import Baseline, baseline_text, read_baseline
from forensics.assumptions.hypotheses import HYPOTHESES, Hypothesis, Tally, weigh_hypotheses
from forensics.assumptions.interval import Interval, wilson
from forensics.assumptions.verdicts import EXPLAINED, UNDECIDED, KeyVerdict, judge_keys, list_empty_keys
from forensics.assumptions.versions import VersionCount, count_by_version

__all__ = [
    "EXPLAINED",
    "HYPOTHESES",
    "UNDECIDED",
    "Baseline",
    "Hypothesis",
    "Interval",
    "KeyVerdict",
    "Tally",
    "VersionCount",
    "baseline_text",
    "count_by_version",
    "judge_keys",
    "list_empty_keys",
    "read_baseline",
    "weigh_hypotheses",
    "wilson",
]
