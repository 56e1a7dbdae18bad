"""Copies grades from CSV into a SQLite file, with the index that narrow sums need: grades_table.py FROM TO"""

import csv
import sqlite3
import sys

source, target = sys.argv[1:]
with open(source, encoding="utf-8", newline="") as file, sqlite3.connect(target) as database:
    rows = csv.reader(file)
    columns = next(rows)
    declared = ", ".join(f'"{name}" {"NUMERIC" if name.startswith(("grade", "average")) else "TEXT"}' for name in columns)
    database.execute(f"CREATE TABLE grades ({declared})")
    values = ([value or None for value in row] for row in rows)
    database.executemany(f"INSERT INTO grades VALUES ({', '.join('?' * len(columns))})", values)
    database.execute('CREATE INDEX by_course ON grades (department, "courseNumber")')
