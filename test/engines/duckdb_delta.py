"""DuckDB for Python, with its delta extension."""
import duckdb
from duckdb_session import open_duckdb
from questions import Dialect, answer_in_sql, read_job, report

job = read_job()


def open_snapshot(snapshot):
    connection = open_duckdb(job, "delta")
    for table in job["tables"]:
        version = snapshot["versions"][table]
        connection.execute(f"CREATE VIEW {table} AS FROM delta_scan('{job['lake']}/{table}', version = {version})")
    return lambda statement: connection.execute(statement).fetchall()


report(duckdb.__version__, answer_in_sql(job, Dialect(length="len"), open_snapshot))
