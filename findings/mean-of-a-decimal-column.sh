#!/usr/bin/env bash
# Versions: pyarrow 25.0.1, pandas 3.1.1, ibis-framework 12.0.0 (on duckdb 1.5.5), datafusion 55.0.0, daft 0.7.26.
# Behaviour: libraries make four things of the mean of one Parquet column of decimal(4, 2) with the values 3.51, 3.50 and 3.53, which is 3.5133…:
#   pyarrow.compute.mean and ibis keep the column's two decimals, DataFusion and daft give six, the description of pandas leaves the column out, and
#   DuckDB gives a double. The result differs from the true mean in the third decimal with nothing said.
# Seen: pyarrow Decimal('3.51'), ibis Decimal('3.51'), DataFusion Decimal('3.513333'), daft Decimal('3.513333'), pandas describe() with the column
#   code alone, DuckDB 3.513333333333333.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pyarrow==25.0.1 pandas==3.1.1 'ibis-framework[duckdb]==12.0.0' duckdb==1.5.5 \
  datafusion==55.0.0 daft==0.7.26
cat > "$folder/mean.py" <<'PY'
import sys
from decimal import Decimal
import daft
import datafusion
import duckdb
import ibis
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

path = f"{sys.argv[1]}/grades.parquet"
averages = pa.array([Decimal("3.51"), Decimal("3.50"), Decimal("3.53")], pa.decimal128(4, 2))
pq.write_table(pa.table({"code": [5000, 5001, 5002], "average": averages}), path)
context = datafusion.SessionContext()
context.register_parquet("grades", path)
seen = {
    "pyarrow": pc.mean(pq.read_table(path).column("average")).as_py(),
    "ibis": ibis.read_parquet(path).average.mean().execute(),
    "DataFusion": context.sql("SELECT avg(average) AS mean FROM grades").to_pylist()[0]["mean"],
    "daft": daft.read_parquet(path).mean("average").to_pydict()["average"][0],
    "pandas describes": list(pd.read_parquet(path).describe().columns),
    "DuckDB": duckdb.sql(f"SELECT avg(average) FROM '{path}'").fetchall()[0][0],
}
for reader, answer in seen.items():
    print(f"{reader}: {answer!r}")
expected = {
    "pyarrow": Decimal("3.51"),
    "ibis": Decimal("3.51"),
    "DataFusion": Decimal("3.513333"),
    "daft": Decimal("3.513333"),
    "pandas describes": ["code"],
}
same = all(seen[reader] == answer for reader, answer in expected.items())
sys.exit(0 if same and abs(seen["DuckDB"] - 10.54 / 3) < 1e-12 else 1)
PY
"$folder/venv/bin/python" "$folder/mean.py" "$folder"
