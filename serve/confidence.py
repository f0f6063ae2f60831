"""How likely a quoted sentence answers the question.

A logistic function of four things that can be shown to a reader: how the cross-encoder reads the sentence and its
passage, how much of the question they name, whether they name its subject (in any of the lexicon's words), and
whether the sentence holds content of the asked kind. Fitted on ClapNQ and the sample corpus, each with half the
weight, then rounded; `make bench-clapnq` prints the fit on the first.
"""

from __future__ import annotations

import math

from contracts.questions import Question
from serve.weigh import READS, Weighed

BIAS, BY_LOGIT, BY_COVERAGE, BY_CONTENT, BY_SUBJECT = -1.5, 0.3, 0.5, 0.2, 2.5
LOGIT_RANGE = (-4.0, 8.0)
"""Beyond it the logit says nothing more."""


def confidence_of(question: Question, best: Weighed) -> float:
    """In [0, 1]. What the cross-encoder did not read, or cannot, counts as 0."""
    low, high = LOGIT_RANGE
    reads = min(high, max(low, best.reads if best.reads is not None else 0.0))
    readable = question.language == READS and best.readable
    logit = reads if readable else max(0.0, reads)
    z = BIAS + BY_LOGIT * logit + BY_COVERAGE * best.coverage + BY_CONTENT * best.typed + BY_SUBJECT * best.subject
    return 1.0 / (1.0 + math.exp(-z))
