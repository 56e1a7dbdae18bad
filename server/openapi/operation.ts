/** Converts an endpoint to an OpenAPI operation. */
import type { DocumentedMode } from "../response/mode.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { isPaged } from "../response/paging.ts";
import type { Param } from "../response/params.ts";
import { readQuery } from "../response/query.ts";
import { representationsOf } from "../response/representations/all.ts";
import { explanation } from "../response/explain/explain.ts";
import { json } from "../response/representations/json.ts";
import { RANGE_HEADERS } from "../response/byte-range.ts";
import { EXPLANATION_TYPE } from "../response/explain/shape.ts";
import { inPath } from "./documented-page.ts";
import { GENERAL_ERRORS, MALFORMED, referToErrors, toErrorResponse } from "./error-responses.ts";
import { A_PART, headersOf, headersOfNotModified, type ResponseHeader } from "./response-headers.ts";
import { EXPLANATION, referTo, type Schema } from "./schemas.ts";

/** The groups of the reference. */
const TAGS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  schedule: ["Schedule", "Sections of a term: from the published data, or live from the upstream"],
  grades: ["Grades", "Grade statistics since 2014 Summer1"],
  instructors: ["Instructors", "Lecturers and professors, and what they taught"],
  courses: ["Courses", "The catalogue, with prerequisites in both directions and teaching history"],
  week: ["Week", "The academic week of a day"],
  calendar: ["Calendar", "The terms with their dates"],
  larc: ["LARC", "Learning-assistance tutorials"],
  enrollmentHistory: ["Enrollment history", "Enrollment per section and day"],
  search: ["Search", "Free-text search for courses, people, departments and section codes"],
  changes: ["Changes", "What changed in the schedule, as a list, a feed and a stream of events"],
  data: ["Data", "The published Parquet files"],
  service: ["Service", "Health and this document"],
};

/** Returns the tag by the first segment of the path. */
export function tagOf(path: string): string {
  const first = path.split("/")[1] ?? "";
  return TAGS[first]?.[0] ?? first.charAt(0).toUpperCase() + first.slice(1);
}

export function describeTags(used: readonly string[]): { name: string; description?: string }[] {
  const knownTags = Object.values(TAGS).map(([name, description]) => ({ name, description }));
  const others = [...new Set(used)].filter((name) => knownTags.every((tag) => tag.name !== name));
  return [...knownTags, ...others.map((name) => ({ name }))];
}

/** Returns the id: `/grades/aggregateByCourse` → `gradesAggregateByCourse`, `/courses/:id` → `coursesById`. */
export function operationId(path: string): string {
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const [first = "", ...rest] = path.split("/").slice(1);
  return first + rest.map((part) => (part.startsWith(":") ? `By${capital(part.slice(1))}` : capital(part))).join("");
}

/**
 * Converts a parameter. `example` is the value that the reference fills in, so the examples of an operation must work
 * together; further examples are in the schema.
 */
export function toParameter(name: string, param: Param<unknown>, example?: string): Schema {
  const { examples = [], default: byDefault, ...value } = param.schema;
  const filled = example ?? (param.required ? examples[0] : undefined);
  return {
    name,
    in: "query",
    required: param.required ?? false,
    description: param.about,
    // Repeated parameters are accepted as well.
    ...(param.multi ? { style: "form", explode: false } : {}),
    schema: {
      ...(param.multi ? { type: "array", items: value, examples: [examples] } : { ...value, examples }),
      ...(byDefault === undefined ? {} : { default: byDefault }),
    },
    ...(filled === undefined ? {} : { example: param.multi ? [filled] : filled }),
  };
}

const PREFER: Schema = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "with `handling=strict` (RFC 7240) an unknown parameter is a 400",
  schema: { type: "string", examples: ["handling=strict"] },
};

function toParameters({ id, params, example }: Endpoint): Schema[] {
  const query = Object.entries(params).map(([name, param]) => toParameter(name, param, example?.[name]));
  if (!id) return [...query, PREFER];
  return [inPath("id", id.about, id.example), ...query, PREFER];
}

/** Returns an actual error message: for missing required parameters, or for an invalid value. */
function invalidRequestMessage({ params, check }: Endpoint): string | undefined {
  const problemsOf = (query: Record<string, string>) => {
    const { values, problems, refused } = readQuery(new URLSearchParams(query), params);
    return [...problems, ...(check?.(values, refused) ?? [])];
  };
  const missing = problemsOf({});
  const [constrained] = Object.entries(params).find(([, { schema }]) => schema.enum ?? schema.pattern) ?? [];
  const problems = missing.length > 0 || !constrained ? missing : problemsOf({ [constrained]: "fall" });
  return problems.length > 0 ? problems.join("; ") : undefined;
}

const bare = (type: string): string => type.split(";")[0] ?? type;

/**
 * Returns the contents of `x-formats`, the descriptions of other media types than JSON: as regular contents, generated
 * clients would take their text type for that of the response.
 */
function toFormats(endpoint: Endpoint): Record<string, { readonly schema: Schema }> {
  // Formats of particular endpoints come first.
  const all = representationsOf(endpoint).toSorted((a, b) => Number(a.of === undefined) - Number(b.of === undefined));
  const others = all.flatMap(({ describe, name, types: [type] }) => {
    if (name === json.name || name === explanation.name) return [];
    const { about, isBinary = false } = describe?.(endpoint) ?? { about: name };
    return [
      [bare(type), { schema: { type: "string", ...(isBinary ? { format: "binary" } : {}), description: about } }],
    ];
  });
  return Object.fromEntries(others);
}

const typesWithRanges = (endpoint: Endpoint): string[] =>
  representationsOf(endpoint).flatMap(({ hasRanges, types: [type] }) => (hasRanges ? [bare(type)] : []));

/**
 * Returns the content: every media type with the schema of its data; `x-formats` documents how each is encoded. With a
 * text schema, generators that merge all contents into a union (openapi-fetch, orval) would type each response as text,
 * although they read JSON. The explanation has different data and comes last.
 */
function toContent(
  { returns, single }: Endpoint,
  { bodyOf, exampleOf }: DocumentedMode,
  others: readonly string[],
): Readonly<Record<string, Schema>> {
  const shown = referTo(returns.name);
  const schema = single ? { oneOf: [shown, referTo(single.returns.name)] } : shown;
  return {
    "application/json": { schema: bodyOf(schema), example: exampleOf(returns) },
    ...Object.fromEntries(others.map((type) => [type, { schema: bodyOf(shown) }])),
    [EXPLANATION_TYPE]: { schema: bodyOf(referTo(EXPLANATION)) },
  };
}

/** Returns the responses to range requests, for media types that support them. @param contents the complete contents */
const responsesInParts = (
  types: readonly string[],
  headers: readonly ResponseHeader[],
  contents: Readonly<Record<string, Schema>>,
): Schema =>
  types.length === 0
    ? {}
    : {
        206: {
          description: `${A_PART}, of a response that has \`Accept-Ranges\``,
          headers: headersOf(...headers, ...RANGE_HEADERS[206]),
          content: Object.fromEntries(types.map((type) => [type, contents[type]])),
        },
        ...referToErrors("OutOfRange"),
      };

export function toOperation(endpoint: Endpoint, mode: DocumentedMode): Schema {
  const { path, summary, id, single, live, content } = endpoint;
  const badRequest = {
    status: 400,
    description: "Invalid parameters; the message names each of them",
    message: invalidRequestMessage(endpoint) ?? MALFORMED,
  };
  const formats = toFormats(endpoint);
  const rangeTypes = typesWithRanges(endpoint);
  const located = endpoint.links ? (["Content-Location"] as const) : [];
  const headers = [
    ...(["X-Data-Snapshot", "ETag", "Last-Modified"] as const),
    ...(live ? (["Cache-Status"] as const) : []),
    ...(["Warning", "Preference-Applied"] as const),
    ...(isPaged(endpoint) ? (["Link", "X-Total-Count"] as const) : []),
    ...(endpoint.links ? (["Link"] as const) : []),
    ...located,
    "Content-Disposition",
  ] as const;
  const contents = toContent(endpoint, mode, Object.keys(formats));
  const named = id ?? single;
  const unknown = named && {
    status: 404,
    description: `Unknown ${id ? "id" : single?.of.join(" and ")}, or a snapshot that is not retained`,
    message: named.unknown,
  };
  return {
    operationId: operationId(path),
    tags: [tagOf(path)],
    summary,
    parameters: toParameters(endpoint),
    responses: {
      200: {
        description: [
          live ? "The result; a live one is `no-store` and has no ETag" : "The result",
          `As CSV, NDJSON${content === "sections" ? ", Parquet or iCalendar" : " or Parquet"} with \`format\` or \`Accept\``,
          "With `fields` only these of its fields, whatever the schema requires",
          "With `explain=true` an explanation, as a media type of its own, `no-store` and without an ETag",
        ].join(". "),
        headers: headersOf(
          ...headers,
          "Content-Encoding",
          ...(rangeTypes.length > 0 ? RANGE_HEADERS[200] : (["Content-Length"] as const)),
          ...(content === "changes" ? (["X-Accel-Buffering"] as const) : []),
        ),
        content: contents,
        "x-formats": formats,
      },
      ...responsesInParts(rangeTypes, headers, contents),
      304: {
        description: "Not changed since the ETag in If-None-Match, or the time in If-Modified-Since",
        headers: headersOfNotModified(...located),
      },
      400: toErrorResponse(badRequest, mode),
      ...(unknown ? { 404: toErrorResponse(unknown, mode) } : referToErrors("NotRetained")),
      ...GENERAL_ERRORS,
      ...referToErrors("NothingPublished"),
      ...(live ? referToErrors("UpstreamFailed", "UpstreamTimedOut") : {}),
    },
  };
}
