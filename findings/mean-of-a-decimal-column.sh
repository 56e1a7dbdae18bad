#!/usr/bin/env bash
# Versions: pyarrow 25.0.1, pandas 3.1.1, ibis-framework 12.0.0 (on duckdb 1.5.5), datafusion 55.0.0, daft 0.7.26.
# Behaviour: four libraries make four things of the mean of one Parquet column of decimal(4, 2) with the values 3.51, 3.50 and 3.52 + 0.01, whose mean
#   is 3.5133…: pyarrow.compute.mean fails for want of precision; ibis rounds it to the column's two decimals; DataFusion and daft to six; and the
#   description of pandas leaves the column out. DuckDB alone gives a double. A reader of the same numbers as double has no such trouble.
# Seen: pyarrow "ArrowInvalid: Precision is not great enough for the result", ibis Decimal('3.51'), DataFusion Decimal('3.513333'),
#   daft Decimal('3.513333'), pandas describe() without the column, DuckDB 3.5133333333333336.
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


def mean_of_pyarrow():
    try:
        return pc.mean(pq.read_table(path).column("average")).as_py()
    except pa.ArrowInvalid as error:
        return f"ArrowInvalid: {error}"


context = datafusion.SessionContext()
context.register_parquet("grades", path)
seen = {
    "pyarrow": mean_of_pyarrow(),
    "ibis": ibis.read_parquet(path).average.mean().execute(),
    "DataFusion": context.sql("SELECT avg(average) AS mean FROM grades").to_pylist()[0]["mean"],
    "daft": daft.read_parquet(path).mean("average").to_pydict()["average"][0],
    "pandas describes": list(pd.read_parquet(path).describe().columns),
    "DuckDB": duckdb.sql(f"SELECT avg(average) FROM '{path}'").fetchall()[0][0],
}
for reader, answer in seen.items():
    print(f"{reader}: {answer!r}")
expected = {
    "ibis": Decimal("3.51"),
    "DataFusion": Decimal("3.513333"),
    "daft": Decimal("3.513333"),
    "pandas describes": ["code"],
    "DuckDB": 3.5133333333333336,
}
same = all(seen[reader] == answer for reader, answer in expected.items())
sys.exit(0 if same and str(seen["pyarrow"]).startswith("ArrowInvalid: Precision is not great enough") else 1)
PY
"$folder/venv/bin/python" "$folder/mean.py" "$folder"
