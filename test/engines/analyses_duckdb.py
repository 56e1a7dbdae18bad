"""The analyses by DuckDB for Python: over a snapshot's Parquet files with the views beside them, or over the lake's DuckLake, which has both."""
import sys
import duckdb
from analyses_answers import answer_all, open_snapshot, report
from questions import read_job

job = read_job()
if sys.argv[2] == "DuckLake":
    import glob
    import os
    import duckdb_extension_ducklake

    folder = os.path.dirname(duckdb_extension_ducklake.__file__)
    extension = glob.glob(f"{folder}/extensions/*/ducklake.duckdb_extension")[0]
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{extension}'")
    connection.execute(f"ATTACH 'ducklake:{job['ducklake']}' AS uni (READ_ONLY)")
    connection.execute("USE uni")
else:
    connection = open_snapshot(job)
report(duckdb.__version__, answer_all(job, lambda statement: connection.execute(statement).fetchall()))
