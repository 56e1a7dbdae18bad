"""delta-rs (`deltalake`), with its own SQL."""
import deltalake
from deltalake import DeltaTable, QueryBuilder
from questions import Dialect, answer_in_sql, read_job, report

job = read_job()


def open_snapshot(snapshot):
    builder = QueryBuilder()
    for table in job["tables"]:
        builder = builder.register(table, DeltaTable(f"{job['lake']}/{table}", version=snapshot["versions"][table]))

    def run(statement):
        result = builder.execute(statement).read_all()
        return list(zip(*(column.to_pylist() for column in result.columns)))

    return run


# Its SQL reads a field of a struct by an index.
dialect = Dialect(field="{struct}['totalEnrolled']")
report(deltalake.__version__, answer_in_sql(job, dialect, open_snapshot))
