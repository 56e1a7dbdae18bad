/** The rows that a JSON answer holds, found the plain way: what CSV, NDJSON and Parquet are compared with. */

export type PlainRow = Record<string, unknown>;

const without = (object: PlainRow, name: string): PlainRow => {
  const { [name]: _, ...rest } = object;
  return rest;
};
const listIn = (object: PlainRow, name: string) => object[name] as PlainRow[];

/** The term is in the question only. */
function scheduleRows(body: PlainRow, query: URLSearchParams): PlainRow[] {
  const term = { year: query.get("year"), quarter: query.get("quarter") };
  return listIn(body, "schools").flatMap((school) =>
    listIn(school, "departments").flatMap((department) =>
      listIn(department, "courses").flatMap((course) =>
        listIn(course, "sections").map((section) => ({
          ...term,
          ...without(school, "departments"),
          ...without(department, "courses"),
          ...without(course, "sections"),
          ...section,
        })),
      ),
    ),
  );
}

const HISTORIES: Record<string, string> = {
  maxCapacityHistory: "maxCapacity",
  totalEnrolledHistory: "totalEnrolled",
  waitlistHistory: "waitlist",
  waitlistCapHistory: "waitlistCap",
  requestedHistory: "requested",
  newOnlyReservedHistory: "newOnlyReserved",
  statusHistory: "status",
};

function historyRows(body: PlainRow[]): PlainRow[] {
  return body.flatMap((record) =>
    (record["dates"] as string[]).map((date, i) => {
      const row: PlainRow = { date };
      for (const [name, value] of Object.entries(record))
        if (name in HISTORIES) row[HISTORIES[name] as string] = (value as string[])[i];
        else if (name !== "dates") row[name] = value;
      return row;
    }),
  );
}

const LETTERS = ["gradeACount", "gradeBCount", "gradeCCount", "gradeDCount", "gradeFCount"];
/** The average of no letter grades is 0 in JSON and nothing in a table. */
const withBlank = (row: PlainRow): PlainRow =>
  "averageGPA" in row && LETTERS.every((count) => row[count] === 0) ? { ...row, averageGPA: null } : row;

/** By the endpoint's path, and the path and query that were asked. */
export function plainRows(path: string, body: unknown, asked: string): PlainRow[] {
  const object = body as PlainRow;
  switch (path) {
    case "/schedule":
      return scheduleRows(object, new URL(asked, "http://x").searchParams);
    case "/enrollmentHistory":
      return historyRows(body as PlainRow[]);
    case "/grades/aggregate":
      return [withBlank(object["gradeDistribution"] as PlainRow)];
    case "/grades/options":
      return Object.keys(object).flatMap((list) => (object[list] as string[]).map((value) => ({ list, value })));
    case "/week":
      return (object["weeks"] as number[]).map((week, i) => ({
        week,
        quarter: (object["quarters"] as string[])[i],
        display: object["display"],
      }));
    case "/larc":
      return (body as PlainRow[]).flatMap((entry) =>
        listIn(entry, "sections").map((section) => ({ ...(entry["courseInfo"] as PlainRow), ...section })),
      );
    default:
      return Array.isArray(body) ? (body as PlainRow[]).map(withBlank) : [object];
  }
}

/** A row as CSV shows it: parts of objects under dotted names; texts, and JSON for lists and for objects that are `maps`. */
export function asCsv(row: PlainRow, maps: readonly string[] = [], above = ""): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(row)) {
    const path = above + name;
    if (value === null) fields[path] = "";
    else if (typeof value === "object" && !Array.isArray(value) && !maps.includes(name))
      Object.assign(fields, asCsv(value as PlainRow, maps, `${path}.`));
    else fields[path] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  return fields;
}
