"""Polars over a snapshot's Parquet files."""
import polars as pl
from polars_questions import report_answers
from questions import read_job

job = read_job()


def open_snapshot(snapshot):
    def scan(table):
        files = [f"{snapshot['folder']}/{path}" for path in snapshot["files"].get(table, [])]
        return pl.scan_parquet(files) if files else pl.LazyFrame()

    return scan


report_answers(job, open_snapshot)
