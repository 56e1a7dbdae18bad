#!/usr/bin/env bash
# Versions: fastparquet 2026.9.0 with pandas 3.1.1, duckdb 1.5.5, pyarrow 25.0.1 (the control).
# Behaviour: fastparquet reads a column of lists of texts from a Parquet file that DuckDB wrote as None in every row, without an error or a warning.
#   The same rows, written by pyarrow, come back as they are. DuckDB and pyarrow read both files alike.
# Seen: "duckdb file: [None, None, None]", "pyarrow file: [['VANE, I.'], ['MOSS, A.', 'VANE, I.'], []]", "pyarrow reads the duckdb file: the same lists".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check fastparquet==2026.9.0 pandas==3.1.1 duckdb==1.5.5 pyarrow==25.0.1
cat > "$folder/read.py" <<'PY'
import sys
import duckdb
import fastparquet
import pyarrow.parquet as pq

folder = sys.argv[1]
rows = "SELECT * FROM (VALUES ('05000', ['VANE, I.']), ('05001', ['MOSS, A.', 'VANE, I.']), ('05002', []::VARCHAR[])) AS t(code, instructors)"
duckdb.sql(f"COPY ({rows}) TO '{folder}/duckdb.parquet' (FORMAT parquet)")
pq.write_table(pq.read_table(f"{folder}/duckdb.parquet"), f"{folder}/pyarrow.parquet")
lists = [["VANE, I."], ["MOSS, A.", "VANE, I."], []]


def read(name):
    column = fastparquet.ParquetFile(f"{folder}/{name}.parquet").to_pandas().instructors
    return [None if value is None else list(value) for value in column]


control = pq.read_table(f"{folder}/duckdb.parquet").column("instructors").to_pylist()
print("duckdb file:", read("duckdb"))
print("pyarrow file:", read("pyarrow"))
print("pyarrow reads the duckdb file:", control)
sys.exit(0 if read("duckdb") == [None] * 3 and read("pyarrow") == lists and control == lists else 1)
PY
"$folder/venv/bin/python" "$folder/read.py" "$folder"
