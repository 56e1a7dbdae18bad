"""Runs the statements of a documented example in DuckDB, Spark or Trino, and prints the rows of the last one."""
import sys
from questions import read_job

job = read_job()
system, path = sys.argv[2:4]
with open(path, encoding="utf-8") as file:
    lines = [line for line in file.read().split("\n") if not line.startswith("--")]
statements = [statement.strip() for statement in "\n".join(lines).split(";") if statement.strip()]


def run_all(run):
    rows = [run(statement) for statement in statements][-1]
    for row in rows:
        print(*row)
    if not rows:
        sys.exit("the last statement has no rows")


if system == "Spark":
    from spark_session import open_spark

    spark = open_spark(job)
    run_all(lambda statement: spark.sql(statement).collect())
elif system == "DuckDB":
    import duckdb

    run_all(lambda statement: duckdb.execute(statement).fetchall())
else:
    from trino_node import open_trino

    with open_trino(job) as ask:
        run_all(ask)
