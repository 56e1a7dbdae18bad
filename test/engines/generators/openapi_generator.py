"""What a user of the package by openapi-generator for Python writes."""

import json
import sys

import openapi_client as generated

url, course, department = sys.argv[1:]
with generated.ApiClient(generated.Configuration(host=url)) as client:
    courses, calendar = generated.CoursesApi(client), generated.CalendarApi(client)
    aggregate = generated.GradesApi(client).grades_aggregate(department=[department])
    days = calendar.calendar(year="2026", quarter="Fall").actual_instance
    answers = {
        "course": courses.courses_by_id(course).id,
        "courses": len(courses.courses(department=[department])),
        "terms": len(calendar.calendar().actual_instance),
        "start": days.instruction_start.isoformat(),
        "average": aggregate.grade_distribution.average_gpa,
    }
print(json.dumps(answers))
