"""Reads the grades and the terms of the newest snapshot in a loop, by delta-rs or Polars, until standard input ends. Every row carries the snapshot's number."""
import json
import os
import select
import sys
from deltalake import DeltaTable
import polars as pl

lake, engine = sys.argv[1:3]


def numbers(table, version, column):
    path = f"{lake}/{table}"
    if engine == "Polars":
        return set(pl.scan_delta(path, version=version).select(column).collect()[column])
    return set(DeltaTable(path, version=version).to_pyarrow_table(columns=[column])[column].to_pylist())


def newest(table, column):
    path = f"{lake}/{table}"
    if engine == "Polars":
        return set(pl.scan_delta(path).select(column).collect()[column])
    return set(DeltaTable(path).to_pyarrow_table(columns=[column])[column].to_pylist())


reads, errors, mixed = 0, [], 0
while not select.select([sys.stdin], [], [], 0)[0]:
    reads += 1
    try:
        with open(f"{lake}/snapshots.json", encoding="utf-8") as file:
            versions = json.load(file)["snapshots"][0]["versions"]
        stamps = numbers("grades", versions["grades"], "gradeACount")
        names = numbers("terms", versions["terms"], "longName")
        if len(stamps) != 1 or names != {f"generation {next(iter(stamps))}"}:
            mixed += 1
        if len(newest("grades", "gradeACount")) != 1:
            mixed += 1
    except Exception as error:
        errors.append(str(error)[:300])
print(json.dumps({"reads": reads, "errors": errors, "mixed": mixed}))
