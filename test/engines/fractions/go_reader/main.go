// Reads the averages of the published grades with parquet-go, without a conversion: the mean, the rows above 3, and one value. Arguments: the files.
package main

import (
	"encoding/json"
	"os"

	"github.com/parquet-go/parquet-go"
)

type grade struct {
	AverageGPA *float64 `parquet:"averageGPA,optional"`
}

func main() {
	var sum, most float64
	var count, above int
	for _, path := range os.Args[1:] {
		rows, err := parquet.ReadFile[grade](path)
		if err != nil {
			panic(err)
		}
		for _, row := range rows {
			if row.AverageGPA == nil {
				continue
			}
			value := *row.AverageGPA
			sum += value
			count++
			if value > 3 {
				above++
			}
			most = max(most, value)
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"mean": sum / float64(count), "above": above, "value": most})
}
