"""Planners for groups of tables, kept while the index stays as it is: reading 10,000 rows once is enough."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from weakref import WeakKeyDictionary

from contracts.filters import Scope
from contracts.protocols import DenseEncoder
from serve.compute.choose import Group, kind_stems, load
from serve.compute.document_groups import load_documents
from serve.compute.plan import Planner, make_planner
from serve.compute.source import TableSource
from serve.lexicon import Lexicon

KEPT = 16
"""Planners kept for one index."""

_kept: WeakKeyDictionary[TableSource, OrderedDict[tuple[object, ...], Planner]] = WeakKeyDictionary()
_lock = Lock()


def planner_for(
    group: Group,
    index: TableSource,
    scope: Scope,
    lexicon: Lexicon | None,
    dense: DenseEncoder | None,
    focused: bool,
    documents: bool = False,
) -> Planner | None:
    """The group's planner, over its rows or over its documents. Its tables were listed under `scope`, so a kept one shows nothing that the caller may not see."""
    key = (index.version, group.table_ids, focused, documents, id(lexicon), dense is None)
    with _lock:
        planners = _kept.setdefault(index, OrderedDict())
        if key in planners:
            planners.move_to_end(key)
            return planners[key]
    view = (load_documents if documents else load)(index, scope, group.summaries)
    if view is None:
        return None
    planner = make_planner(view, lexicon, dense, focused, kind_stems(group.summaries, lexicon))
    with _lock:
        planners[key] = planner
        while len(planners) > KEPT:
            planners.popitem(last=False)
    return planner
