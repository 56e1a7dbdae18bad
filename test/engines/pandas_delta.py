"""pandas with pyarrow: the whole tables, every column of them."""
import pandas as pd
import pyarrow
from deltalake import DeltaTable
from questions import read_job, report, to_answers

job = read_job()


def number(column):
    return pd.to_numeric(column, errors="coerce").sum()


def answer(snapshot):
    def read(table):
        delta = DeltaTable(f"{job['lake']}/{table}", version=snapshot["versions"][table])
        return delta.to_pyarrow_table().to_pandas()

    tables = {table: read(table) for table in job["tables"]}
    sections, grades, term = tables["sections"], tables["grades"], job["term"]
    rated = grades[grades.averageGPA.notna()]
    of_term = sections[(sections.year == term["year"]) & (sections.quarter == term["quarter"])]
    enrolled = of_term.numCurrentlyEnrolled.map(lambda numbers: numbers["totalEnrolled"])
    shared = grades[grades.instructors.map(len) > 1].groupby("department")
    return to_answers(
        {table: len(frame) for table, frame in tables.items()},
        rated.averageGPA.groupby(rated.department).mean().items(),
        [number(of_term.maxCapacity), number(enrolled), number(of_term.numOnWaitlist)],
        [(department, len(group), group.gradeACount.sum()) for department, group in shared],
    )


answers = [answer(snapshot) for snapshot in job["snapshots"]]
report(f"{pd.__version__}, pyarrow {pyarrow.__version__}", answers)
