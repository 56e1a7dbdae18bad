"""The five questions in Polars, lazily."""
import polars as pl
from questions import report, to_answers


def number(column):
    return column.cast(pl.Int32, strict=False).sum()


def answer(job, scan):
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
        gpa.agg(pl.col("averageGPA").mean()).collect().rows(),
        seats.collect().row(0),
        co_taught.agg(pl.len(), pl.col("gradeACount").sum()).collect().rows(),
    )


def report_answers(job, open_snapshot):
    """open_snapshot(snapshot) gives a function from a table's name to a frame."""
    report(pl.__version__, [answer(job, open_snapshot(snapshot)) for snapshot in job["snapshots"]])
