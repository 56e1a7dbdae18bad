"""Polars over the Delta tables."""
import polars as pl
from polars_questions import report_answers
from questions import read_job

job = read_job()


def open_snapshot(snapshot):
    return lambda table: pl.scan_delta(f"{job['lake']}/{table}", version=snapshot["versions"][table])


report_answers(job, open_snapshot)
