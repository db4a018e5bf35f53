"""The evidence store: records, tables, digests, manifest. One public door, `Store`.

store = Store.open(Path("data"))
store.write([(evidence, {"mutants": columns}, made)])
store.record("graders/verl-gsm8k/kill-matrix").evidence.reading
"""

from measure.store.check import Finding
from measure.store.conflicts import Conflict
from measure.store.ids import UnknownIdError
from measure.store.manifest import Line
from measure.store.record import Made, Record
from measure.store.staleness import Staleness
from measure.store.store import Store
from measure.store.trust import Trust

__all__ = ["Conflict", "Finding", "Line", "Made", "Record", "Staleness", "Store", "Trust", "UnknownIdError"]
