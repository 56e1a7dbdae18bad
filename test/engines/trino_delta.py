"""Trino, one node, with its connector for Delta Lake."""
import re
from questions import Dialect, answer_in_sql, read_job, report
from trino_node import open_trino

job = read_job()
lake = job["lake"] if job["lake"].startswith("s3://") else "local:///lake"
with open_trino(job) as ask:
    ask("CREATE SCHEMA delta.academic WITH (location = 'local:///metastore/academic')")
    for table in job["tables"]:
        ask(f"CALL delta.system.register_table('academic', '{table}', '{lake}/{table}')")

    def open_snapshot(snapshot):
        def run(statement):
            for table in job["tables"]:
                at = f"FROM delta.academic.{table} FOR VERSION AS OF {snapshot['versions'][table]}"
                statement = re.sub(rf"\bFROM {table}\b", at, statement)
            return ask(statement)

        return run

    report(ask("SELECT version()")[0][0], answer_in_sql(job, Dialect(), open_snapshot))
