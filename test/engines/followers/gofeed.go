// What a user of gofeed writes: `go run gofeed.go <feed>`.
package main

import (
	"encoding/json"
	"os"

	"github.com/mmcdole/gofeed"
)

func main() {
	feed, err := gofeed.NewParser().ParseURL(os.Args[1])
	if err != nil {
		panic(err)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"entries": len(feed.Items), "page": feed.Items[0].Link, "feed": feed.Link,
	})
}
