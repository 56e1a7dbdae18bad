// What a user of the package by openapi-generator for Go writes.
package main

import (
	"context"
	"encoding/json"
	"os"

	generated "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	url, course, department := os.Args[1], os.Args[2], []string{os.Args[3]}
	configuration := generated.NewConfiguration()
	configuration.Servers = generated.ServerConfigurations{{URL: url}}
	client, ctx := generated.NewAPIClient(configuration), context.Background()
	one, _, err := client.CoursesAPI.CoursesById(ctx, course).Execute()
	must(one, err)
	courses, _, err := client.CoursesAPI.Courses(ctx).Department(department).Execute()
	must(courses, err)
	terms, _, err := client.CalendarAPI.Calendar(ctx).Execute()
	must(terms, err)
	days, _, err := client.CalendarAPI.Calendar(ctx).Year("2026").Quarter("Fall").Execute()
	must(days, err)
	grades, _, err := client.GradesAPI.GradesAggregate(ctx).Department(department).Execute()
	must(grades, err)
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"course":  one.Id,
		"courses": len(courses),
		"terms":   len(*terms.ArrayOfCalendarInner),
		"start":   days.TermDays.InstructionStart,
		"average": grades.GradeDistribution.AverageGPA,
	}))
}
