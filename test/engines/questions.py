"""The five questions, as SQL and as the answers' shape. An engine's script reads a job, answers and prints one line of JSON."""
import json
import sys


def read_job():
    with open(sys.argv[1], encoding="utf-8") as file:
        return json.load(file)


class Dialect:
    """What SQL dialects write differently: quoted names, the length of a list, a field of a struct."""

    def __init__(self, quote='"', length="cardinality", field="{struct}.{name}"):
        self.quote = quote
        self.length = length
        self.field = field

    def name(self, column):
        return f"{self.quote}{column}{self.quote}"

    def fill(self, text):
        enrolled = self.field.format(struct=self.name("numCurrentlyEnrolled"), name=self.name("totalEnrolled"))
        return text.format(length=self.length, enrolled=enrolled, **{column: self.name(column) for column in COLUMNS})


COLUMNS = ["department", "averageGPA", "maxCapacity", "numOnWaitlist", "year", "quarter", "instructors", "gradeACount"]

GPA = "SELECT {department}, avg({averageGPA}) FROM grades WHERE {averageGPA} IS NOT NULL GROUP BY {department}"
SEATS = """SELECT sum(TRY_CAST({maxCapacity} AS INTEGER)), sum(TRY_CAST({enrolled} AS INTEGER)),
  sum(TRY_CAST({numOnWaitlist} AS INTEGER)) FROM sections WHERE {year} = '%s' AND {quarter} = '%s'"""
CO_TAUGHT = """SELECT {department}, count(*), sum({gradeACount}) FROM grades WHERE {length}({instructors}) > 1
  GROUP BY {department}"""


def answer_in_sql(job, dialect, open_snapshot):
    """open_snapshot(snapshot) gives a function that runs a statement over that snapshot's tables and gives rows."""
    answers = []
    for snapshot in job["snapshots"]:
        run = open_snapshot(snapshot)
        seats = SEATS % (job["term"]["year"], job["term"]["quarter"])
        answers.append(
            to_answers(
                {table: run(f"SELECT count(*) FROM {table}")[0][0] for table in job["tables"]},
                run(dialect.fill(GPA)),
                run(dialect.fill(seats))[0],
                run(dialect.fill(CO_TAUGHT)),
            )
        )
    return answers


def to_answers(rows, gpa, seats, co_taught):
    return {
        "rows": {table: int(count) for table, count in rows.items()},
        "gpa": {department: float(mean) for department, mean in gpa},
        "seats": [int(total or 0) for total in seats],
        "coTaught": {department: [int(sections), int(grades)] for department, sections, grades in co_taught},
    }


def report(version, answers):
    print(json.dumps({"version": version, "answers": answers}))
