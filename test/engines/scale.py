"""The five questions over many universities in Spark, two cores and 4 GB, each with its seconds and those of a processor."""
import json
import os
import time
from questions import CO_TAUGHT, GPA, SEATS, Dialect, read_job
from spark_session import address, open_spark

job = read_job()
spark = open_spark(job, memory="4g")
java = spark._jvm.java.lang.ProcessHandle.current().pid()
dialect = Dialect(quote="`")
term = (job["term"]["year"], job["term"]["quarter"])


def processor_seconds():
    with open(f"/proc/{java}/stat", encoding="utf-8") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def open_version(version):
    for table in job["tables"]:
        reader = spark.read.format("delta").option("versionAsOf", version)
        reader.load(f"{address(job['lake'])}/{table}").createOrReplaceTempView(table)


def count_rows():
    return sum(spark.sql(f"SELECT count(*) FROM {table}").collect()[0][0] for table in job["tables"])


def by_university(statement):
    filled = dialect.fill(statement)
    head, tail = filled.split(" FROM ", 1)
    grouped = tail.replace("GROUP BY", "GROUP BY university,") if "GROUP BY" in tail else f"{tail} GROUP BY university"
    return lambda: len(spark.sql(f"{head}, university FROM {grouped}").collect())


def older():
    open_version(0)
    return spark.sql("SELECT count(*) FROM sections").collect()[0][0]


open_version(1)
results = {"sections": spark.sql("SELECT count(*) FROM sections").collect()[0][0]}
questions = {
    "rows of all tables": count_rows,
    "GPA of each department": by_university(GPA),
    "seats of a term": by_university(SEATS % term),
    "co-taught": by_university(CO_TAUGHT),
    "older version": older,
}
for name, ask in questions.items():
    started, used = time.monotonic(), processor_seconds()
    answer = ask()
    results[name] = [answer, round(time.monotonic() - started, 1), round(processor_seconds() - used, 1)]
print(json.dumps(results))
