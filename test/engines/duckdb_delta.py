"""DuckDB for Python, with its delta extension."""
import glob
import os
import duckdb
import duckdb_extension_delta
from questions import Dialect, answer_in_sql, read_job, report

job = read_job()
extension = glob.glob(f"{os.path.dirname(duckdb_extension_delta.__file__)}/extensions/*/delta.duckdb_extension")[0]


def open_snapshot(snapshot):
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{extension}'")
    for table in job["tables"]:
        version = snapshot["versions"][table]
        connection.execute(f"CREATE VIEW {table} AS FROM delta_scan('{job['lake']}/{table}', version = {version})")
    return lambda statement: connection.execute(statement).fetchall()


report(duckdb.__version__, answer_in_sql(job, Dialect(length="len"), open_snapshot))
