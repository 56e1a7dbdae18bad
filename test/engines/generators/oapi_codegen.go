// What a user of the package by oapi-codegen writes.
package main

import (
	"context"
	"encoding/json"
	"os"

	generated "client/api"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	url, course, department := os.Args[1], os.Args[2], []string{os.Args[3]}
	ctx, year, quarter := context.Background(), "2026", generated.CalendarParamsQuarter("Fall")
	client := must(generated.NewClientWithResponses(url))
	one := must(client.CoursesByIdWithResponse(ctx, course, nil))
	courses := must(client.CoursesWithResponse(ctx, &generated.CoursesParams{Department: &department}))
	terms := must(client.CalendarWithResponse(ctx, &generated.CalendarParams{}))
	days := must(client.CalendarWithResponse(ctx, &generated.CalendarParams{Year: &year, Quarter: &quarter}))
	grades := must(client.GradesAggregateWithResponse(ctx, &generated.GradesAggregateParams{Department: &department}))
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"course":  one.JSON200.Id,
		"courses": len(*courses.JSON200),
		"terms":   len(must(terms.JSON200.AsCalendar())),
		"start":   must(days.JSON200.AsTermDays()).InstructionStart,
		"average": grades.JSON200.GradeDistribution.AverageGPA,
	}))
}
