"""Polars, lazily."""
import polars as pl
from questions import read_job, report, to_answers

job = read_job()


def number(column):
    return column.cast(pl.Int32, strict=False).sum()


def answer(snapshot):
    def scan(table):
        return pl.scan_delta(f"{job['lake']}/{table}", version=snapshot["versions"][table])

    sections, grades, term = scan("sections"), scan("grades"), job["term"]
    gpa = grades.filter(pl.col("averageGPA").is_not_null()).group_by("department")
    of_term = sections.filter((pl.col("year") == term["year"]) & (pl.col("quarter") == term["quarter"]))
    enrolled = pl.col("numCurrentlyEnrolled").struct.field("totalEnrolled")
    seats = of_term.select(
        number(pl.col("maxCapacity")).alias("capacity"),
        number(enrolled).alias("enrolled"),
        number(pl.col("numOnWaitlist")).alias("waitlist"),
    )
    co_taught = grades.filter(pl.col("instructors").list.len() > 1).group_by("department")
    return to_answers(
        {table: scan(table).select(pl.len()).collect().item() for table in job["tables"]},
        gpa.agg(pl.col("averageGPA").cast(pl.Float64).mean()).collect().rows(),
        seats.collect().row(0),
        co_taught.agg(pl.len(), pl.col("gradeACount").sum()).collect().rows(),
    )


report(pl.__version__, [answer(snapshot) for snapshot in job["snapshots"]])
