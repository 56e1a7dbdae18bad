"""What a user of feedparser writes: `python feedparser_feed.py <feed>`."""

import json
import sys

import feedparser

feed = feedparser.parse(sys.argv[1])
print(json.dumps({"entries": len(feed.entries), "page": feed.entries[0].link, "feed": feed.feed.link}))
