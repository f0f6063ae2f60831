"""Each stage: take what it needs from the run, call its one verb, record what happened, return the changed run.

`serve.graph` orders them.
"""

from serve.stages.calculate import compute
from serve.stages.decide import decide, judge
from serve.stages.find import fuse, pick_sections, retrieve
from serve.stages.rank import arbitrate, rerank
from serve.stages.understand import analyse, dispatch, narrow
from serve.stages.write import compress, write_prompt

__all__ = [
    "analyse",
    "arbitrate",
    "compress",
    "compute",
    "decide",
    "dispatch",
    "fuse",
    "judge",
    "narrow",
    "pick_sections",
    "rerank",
    "retrieve",
    "write_prompt",
]
