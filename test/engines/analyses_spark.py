"""The analyses by Apache Spark: the tables are temporary views over a snapshot's Parquet files, and the views over rows that DuckDB has written from them."""
import os
import pyspark
from analyses_answers import answer_all, open_snapshot, report
from questions import read_job
from spark_session import open_spark

# What Spark spells differently. Everything else is run as it is.
SPELLINGS = [
    ("unnest(", "explode("),
    ("date_diff('day', ", "datediff(DAY, "),
    ("epoch(", "unix_timestamp("),
]

job = read_job()
spark = open_spark(job)
written = f"{job['scratch']}/views"
os.makedirs(written, exist_ok=True)
connection = open_snapshot(job)
for view in job["views"]:
    path = f"{written}/{view['name']}.parquet"
    connection.execute(f"COPY (FROM {view['name']}) TO '{path}' (FORMAT parquet)")
    spark.read.parquet(path).createOrReplaceTempView(view["name"])
for table, files in job["files"].items():
    if files:
        spark.read.parquet(*files).createOrReplaceTempView(table)


def spelled(statement):
    for ours, theirs in SPELLINGS:
        statement = statement.replace(ours, theirs)
    return statement


answers = answer_all(job, lambda statement: [tuple(row) for row in spark.sql(spelled(statement)).collect()])
for analysis in job["analyses"]:
    answers[analysis["name"]]["adapted"] = spelled(analysis["sql"]) != analysis["sql"]
report(pyspark.__version__, answers)
