"""How likely a quoted sentence answers the question.

A logistic function of three things that can be shown to a reader: how much of the question the sentence and
its titles name, whether it holds content of the asked kind, and the cross-encoder's logit. The weights were
fitted on the golden set and ClapNQ together (`make bench-clapnq`), then rounded.
"""

from __future__ import annotations

import math

from contracts.questions import Question
from serve.weigh import Weighed

BIAS, BY_LOGIT, BY_COVERAGE, BY_CONTENT = -1.2, 0.35, 2.0, 0.8
LOGIT_RANGE = (-6.0, 8.0)
"""Beyond it the logit says nothing more."""


def confidence_of(question: Question, best: Weighed) -> float:
    """In [0, 1]. Without a cross-encoder its logit counts as 0."""
    low, high = LOGIT_RANGE
    logit = min(high, max(low, best.logit if best.logit is not None else 0.0))
    content = best.typed or question.answer_type == "text"
    return 1.0 / (1.0 + math.exp(-(BIAS + BY_LOGIT * logit + BY_COVERAGE * best.coverage + BY_CONTENT * content)))
