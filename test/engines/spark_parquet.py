"""Apache Spark over a snapshot's Parquet files, by folder."""
import os
import pyspark
from questions import Dialect, answer_in_sql, read_job, report
from spark_session import open_spark

job = read_job()
spark = open_spark(job)


def open_snapshot(snapshot):
    for table in job["tables"]:
        folder = f"{snapshot['folder']}/{table}"
        frame = spark.read.parquet(folder) if os.path.isdir(folder) else spark.createDataFrame([], "nothing string")
        frame.createOrReplaceTempView(table)
    return lambda statement: [tuple(row) for row in spark.sql(statement).collect()]


report(pyspark.__version__, answer_in_sql(job, Dialect(quote="`"), open_snapshot))
