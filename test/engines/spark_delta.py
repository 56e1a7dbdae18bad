"""Apache Spark with Delta Lake."""
import pyspark
from importlib.metadata import version
from questions import Dialect, answer_in_sql, read_job, report
from spark_session import address, open_spark

job = read_job()
spark = open_spark(job)


def open_snapshot(snapshot):
    for table in job["tables"]:
        reader = spark.read.format("delta").option("versionAsOf", snapshot["versions"][table])
        reader.load(f"{address(job['lake'])}/{table}").createOrReplaceTempView(table)
    return lambda statement: [tuple(row) for row in spark.sql(statement).collect()]


answers = answer_in_sql(job, Dialect(quote="`"), open_snapshot)
report(f"{pyspark.__version__}, delta-spark {version('delta-spark')}", answers)
