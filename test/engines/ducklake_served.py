"""
DuckDB for Python with its ducklake extension, over HTTP from the server. Besides the questions: every table has the rows and types of its files, also by
AT (VERSION => …), every view gives what its statement gives over the tables, and both bind without USE.
"""
import json
import urllib.request
import duckdb
from duckdb_session import open_duckdb
from questions import Dialect, answer_in_sql, read_job, report

job = read_job()
with urllib.request.urlopen(job["served"].replace("lake.ducklake", "manifest.json")) as response:
    views = json.load(response)["views"]


def attach(options=""):
    connection = open_duckdb(job, "httpfs", "ducklake")
    connection.execute(f"ATTACH 'ducklake:{job['served']}' AS uni (READ_ONLY{options})")
    return connection


newest = attach()


def contents(connection, relation):
    """The number of rows, and the sum of their hashes."""
    return connection.execute(f"SELECT count(*), sum(hash(r)::HUGEINT) FROM {relation} AS r").fetchone()


def same(what, found, expected):
    if found != expected:
        raise AssertionError(f"{what} is {str(found)[:200]}, not {str(expected)[:200]}")


def check(connection, snapshot):
    for table in job["tables"]:
        paths = [f"{snapshot['folder']}/{path}" for path in snapshot["files"].get(table, [])]
        if not paths:
            same(table, contents(connection, f"uni.{table}"), (0, None))
            continue
        files = f"read_parquet({paths}, hive_partitioning = false)"
        same(table, contents(connection, f"uni.{table}"), contents(connection, files))
        at = f"(FROM uni.{table} AT (VERSION => {snapshot['generation']}))"
        same(f"{table} at its version", contents(newest, at), contents(connection, files))
        types = "SELECT column_name, column_type FROM (DESCRIBE FROM {})"
        shown = connection.execute(types.format(f"uni.{table}")).fetchall()
        same(f"types of {table}", shown, connection.execute(types.format(files)).fetchall())
    found = {view["name"]: contents(connection, f"uni.{view['name']}") for view in views}
    connection.execute("USE uni")
    for view in views:
        same(view["name"], found[view["name"]], contents(connection, f"({view['select']})"))
    bare = connection.execute(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE database_name = 'uni' AND comment IS NULL AND NOT internal"
    ).fetchall()
    # DuckLake keeps no comments on the columns of views.
    same("columns without a description", [row for row in bare if row[0] in job["tables"]], [])


def check_times():
    """Each snapshot is what there is at its time."""
    for version, time in newest.execute("SELECT snapshot_id, snapshot_time::VARCHAR FROM ducklake_snapshots('uni')").fetchall():
        at_time = f"(FROM uni.sections AT (TIMESTAMP => TIMESTAMPTZ '{time}'))"
        same("sections at a time", contents(newest, at_time), contents(newest, f"(FROM uni.sections AT (VERSION => {version}))"))


def open_snapshot(snapshot):
    connection = attach(f", SNAPSHOT_VERSION {snapshot['generation']}")
    check(connection, snapshot)
    return lambda statement: connection.execute(statement).fetchall()


check_times()
report(duckdb.__version__, answer_in_sql(job, Dialect(length="len"), open_snapshot))
