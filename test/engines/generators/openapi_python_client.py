"""What a user of the package by openapi-python-client writes."""

import json
import sys

from client import Client
from client.api.calendar import calendar
from client.api.courses import courses, courses_by_id
from client.api.grades import grades_aggregate
from client.models import CalendarQuarter

url, course, department = sys.argv[1:]
client = Client(base_url=url, raise_on_unexpected_status=True)
answers = {
    "course": courses_by_id.sync(course, client=client).id,
    "courses": len(courses.sync(client=client, department=[department])),
    "terms": len(calendar.sync(client=client)),
    "start": calendar.sync(client=client, year="2026", quarter=CalendarQuarter.FALL).instruction_start.isoformat(),
    "average": grades_aggregate.sync(client=client, department=[department]).grade_distribution.average_gpa,
}
print(json.dumps(answers))
