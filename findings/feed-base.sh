#!/usr/bin/env bash
# Relative links of an Atom feed with xml:base (RFC 4287, section 2: "Any element … may have an xml:base attribute") in three readers.
# Versions: feedparser 6.0.14 (PyPI), rss-parser 3.13.0 and feedsmith 3.0.1 (npm).
# The standard: xml:base is the base of every relative reference within its element, so both links of the feed below are whole addresses.
# Seen: feedparser resolves them. rss-parser and feedsmith hand over the text of `href` as it stands, so a program that opens
# `item.link` opens an address on its own host, or none. Only absolute links mean the same in all three.
# Output seen:
#   feedparser  https://data.example.edu/academic/departments/MATH https://data.example.edu/academic/sections/2026/Fall/34250
#   rss-parser  departments/MATH sections/2026/Fall/34250
#   feedsmith   departments/MATH sections/2026/Fall/34250
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q feedparser==6.0.14
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts rss-parser@3.13.0 feedsmith@3.0.1

cat > feed.xml <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://data.example.edu/academic/">
<id>urn:uuid:46a880ad-03a5-8931-a432-5058084e0c8a</id>
<title>Changes of classes</title>
<updated>2026-11-21T07:00:04Z</updated>
<author><name>Schedule</name></author>
<link rel="alternate" type="text/html" href="departments/MATH"/>
<entry>
<id>urn:uuid:f060cc0f-ce8c-8115-a03a-1d69365bc26f</id>
<title>A seat is open</title>
<updated>2026-11-21T07:00:04Z</updated>
<link rel="alternate" type="text/html" href="sections/2026/Fall/34250"/>
<content type="text">34250 is open.</content>
</entry>
</feed>
XML
cat > read.py <<'PY'
import feedparser

with open("feed.xml", "rb") as file:
    feed = feedparser.parse(file.read())
print("feedparser ", feed.feed.link, feed.entries[0].link)
PY
cat > read.js <<'JS'
import { readFileSync } from "node:fs";
import { parseFeed } from "feedsmith";
import Parser from "rss-parser";

const xml = readFileSync("feed.xml", "utf8");
const { link, items } = await new Parser().parseString(xml);
console.log("rss-parser ", link, items[0].link);
const { feed } = parseFeed(xml);
console.log("feedsmith  ", feed.links[0].href, feed.entries[0].links[0].href);
JS

{ venv/bin/python read.py; node read.js; } | tee found
whole=https://data.example.edu/academic/
for line in \
  "feedparser  ${whole}departments/MATH ${whole}sections/2026/Fall/34250" \
  "rss-parser  departments/MATH sections/2026/Fall/34250" \
  "feedsmith   departments/MATH sections/2026/Fall/34250"; do
  grep -qxF "$line" found
done
