"""A snapshot with its views in DuckDB, and the rows of all analyses as JSON."""
import datetime
import decimal
import json
import duckdb


def open_snapshot(job):
    """The newest snapshot's tables, and the views over them."""
    connection = duckdb.connect()
    snapshot = job["snapshots"][0]
    for table in job["tables"]:
        files = [f"{snapshot['folder']}/{path}" for path in snapshot["files"].get(table, [])]
        if files:
            connection.execute(f"CREATE VIEW {table} AS FROM read_parquet({files}, hive_partitioning = false)")
    for view in job["views"]:
        connection.execute(f"CREATE VIEW {view['name']} AS {view['select']}")
    return connection


def answer_all(job, run):
    """By name: the rows of an analysis, or the first line of the error."""
    answers = {}
    for analysis in job["analyses"]:
        try:
            answers[analysis["name"]] = {"rows": [list(row) for row in run(analysis["sql"])]}
        except Exception as error:
            answers[analysis["name"]] = {"error": str(error).split("\n")[0][:300]}
    return answers


def to_json(value):
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def report(version, answers):
    print(json.dumps({"version": version, "answers": answers}, default=to_json))
