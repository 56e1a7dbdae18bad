"""Creates the views of a job, runs its statements, and prints which failed."""
import json
import sys
import duckdb

with open(sys.argv[1], encoding="utf-8") as file:
    job = json.load(file)
connection = duckdb.connect()
problems = []
for statement in job["views"] + job["statements"]:
    try:
        connection.execute(statement).fetchall()
    except duckdb.Error as error:
        problems.append(f"{statement}: {error}")
print(json.dumps({"version": duckdb.__version__, "problems": problems}))
