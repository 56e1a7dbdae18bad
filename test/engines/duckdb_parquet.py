"""DuckDB for Python over a snapshot's Parquet files."""
import duckdb
from duckdb_session import open_duckdb
from questions import Dialect, answer_in_sql, read_job, report

job = read_job()


def open_snapshot(snapshot):
    connection = open_duckdb(job)
    for table in job["tables"]:
        files = [f"{snapshot['folder']}/{path}" for path in snapshot["files"].get(table, [])]
        if files:
            connection.execute(f"CREATE VIEW {table} AS FROM read_parquet({files})")
        else:
            connection.execute(f"CREATE VIEW {table} AS SELECT 1 WHERE false")
    return lambda statement: connection.execute(statement).fetchall()


report(duckdb.__version__, answer_in_sql(job, Dialect(length="len"), open_snapshot))
