#!/usr/bin/env bash
# openapi-typescript 7.13.0 with openapi-fetch 0.17.0 and TypeScript 5.9.3.
#
# `createClient<paths, "application/json">()` says which media type a program reads, so that an operation whose 200
# has further media types with other schemas (here an explanation, `application/vnd.example.explanation+json`) still
# gives the plain type of its JSON. It does, as long as 200 is the only success. When the operation also documents a
# 206 (parts of its CSV, by Range) without any JSON, the type of `data` is a union of the JSON and of an object whose
# keys are the names of the 206's media types: `data.id` does not compile any more. Naming a type that both responses
# have beside it, `createClient<paths, "application/json" | "text/csv">()`, gives the plain type again.
#
# Output seen:
#   200 alone, "application/json": compiles
#   200 and 206, "application/json": error TS2339
#   200 and 206, "application/json" | "text/csv": compiles
#
# Exit status 0 while that is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3

write() { # name, further responses
  cat > "$1.json" <<JSON
{"openapi":"3.1.0","info":{"title":"courses","version":"1"},"paths":{"/course":{"get":{"responses":{
  "200":{"description":"a course","content":{
    "application/json":{"schema":{"\$ref":"#/components/schemas/Course"}},
    "text/csv":{"schema":{"\$ref":"#/components/schemas/Course"}},
    "application/vnd.example.explanation+json":{"schema":{"\$ref":"#/components/schemas/Explanation"}}}}$2
}}}},"components":{"schemas":{
  "Course":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false},
  "Explanation":{"type":"object","properties":{"sql":{"type":"string"}},"required":["sql"],"additionalProperties":false}}}}
JSON
  npx openapi-typescript "$1.json" -o "$1.ts" > /dev/null 2>&1
}
write alone ""
write parts ',"206":{"description":"a part","content":{"text/csv":{"schema":{"$ref":"#/components/schemas/Course"}}}}'

compiles() { # document, media types
  cat > use.ts <<TS
import createClient from "openapi-fetch";
import type { paths } from "./$1.js";
const { data } = await createClient<paths, $2>({ baseUrl: "" }).GET("/course");
export const id: string | undefined = data?.id;
TS
  npx tsc --noEmit --strict --target es2022 --module nodenext --moduleResolution nodenext use.ts | grep -o 'error TS[0-9]*' | head -1
}
first=$(compiles alone '"application/json"' || true)
second=$(compiles parts '"application/json"' || true)
third=$(compiles parts '"application/json" | "text/csv"' || true)
echo "200 alone, \"application/json\": ${first:-compiles}"
echo "200 and 206, \"application/json\": ${second:-compiles}"
echo "200 and 206, \"application/json\" | \"text/csv\": ${third:-compiles}"
[ -z "$first" ] && [ "$second" = "error TS2339" ] && [ -z "$third" ]
