"""DuckDB for Python, with its ducklake extension, over the catalogue beside the tables: one version of it for each snapshot."""
import duckdb
from duckdb_session import open_duckdb
from questions import Dialect, answer_in_sql, read_job, report

job = read_job()


def open_snapshot(snapshot):
    connection = open_duckdb(job, "ducklake")
    connection.execute(f"ATTACH 'ducklake:{job['lake']}/lake.ducklake' AS uni (READ_ONLY)")
    for table in job["tables"]:
        version = snapshot["generation"]
        connection.execute(f"CREATE VIEW {table} AS FROM uni.{table} AT (VERSION => {version})")
    return lambda statement: connection.execute(statement).fetchall()


report(duckdb.__version__, answer_in_sql(job, Dialect(length="len"), open_snapshot))
