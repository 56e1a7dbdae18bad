#!/usr/bin/env bash
# Versions: deltalake 1.6.6 (delta-rs), pyarrow 25.0.1.
# Behaviour: the property delta.enableDeletionVectors, set on a Delta table of one integer column, puts the feature variantType beside
#   deletionVectors into readerFeatures and writerFeatures of the protocol. No column of the table is a variant and no property names it, but a reader
#   that knows deletion vectors and not variants must refuse the table from then on. A table property for the change data feed adds no such feature.
# Seen: readerFeatures deletionVectors, variantType at protocol (3, 7); with delta.enableChangeDataFeed protocol (1, 4) and no features.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check deltalake==1.6.6 pyarrow==25.0.1
cat > "$folder/protocol.py" <<'PY'
import sys
import pyarrow as pa
from deltalake import DeltaTable, write_deltalake


def protocol_with(name):
    path = f"{sys.argv[1]}/{name}"
    write_deltalake(path, pa.table({"seats": pa.array([10, 20, 30], pa.int32())}))
    DeltaTable(path).alter.set_table_properties({f"delta.{name}": "true"})
    protocol = DeltaTable(path).protocol()
    return protocol.min_reader_version, protocol.min_writer_version, sorted(protocol.reader_features or [])


vectors, feed = protocol_with("enableDeletionVectors"), protocol_with("enableChangeDataFeed")
print("deletion vectors:", *vectors)
print("change data feed:", *feed)
sys.exit(0 if vectors == (3, 7, ["deletionVectors", "variantType"]) and feed == (1, 4, []) else 1)
PY
"$folder/venv/bin/python" "$folder/protocol.py" "$folder"
