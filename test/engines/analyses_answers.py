"""A snapshot with its views in DuckDB, and the rows of all analyses as JSON."""
import datetime
import decimal
import json
import duckdb


def open_snapshot(job):
    """The snapshot's tables, and the views over them."""
    connection = duckdb.connect()
    for relation in job["tables"] + job["views"]:
        connection.execute(f"CREATE VIEW {relation['name']} AS {relation['select']}")
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
