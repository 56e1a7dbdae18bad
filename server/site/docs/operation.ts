/** One endpoint as an OpenAPI operation: parameters, answers, errors. */
import { enveloped, envelopedExample } from "./compat.ts";
import type { Endpoint } from "../../response/endpoint.ts";
import { isPaged } from "../../response/paging.ts";
import { readQuery } from "../../response/query.ts";
import { ANSWERS } from "./response-examples.ts";
import { toFormats } from "./formats.ts";
import { toParameters } from "./parameters.ts";
import { GENERAL_REFUSALS, MALFORMED, referToRefusals, toRefusal } from "./error-responses.ts";
import { headersOf, type ResponseHeader } from "./response-headers.ts";
import { referTo, type Schema } from "./schema.ts";
import { tagOf } from "./tags.ts";

/** `/grades/aggregateByCourse` → `gradesAggregateByCourse`, `/courses/:id` → `coursesById`. */
export function operationId(path: string): string {
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const [first = "", ...rest] = path.split("/").slice(1);
  return first + rest.map((part) => (part.startsWith(":") ? `By${capital(part.slice(1))}` : capital(part))).join("");
}

/** What the server says to a wrong question: without its required parameters, or with a word that one of them does not know. */
function wrongQuestion({ params, check }: Endpoint): string | undefined {
  const problemsOf = (query: Record<string, string>) => {
    const { values, problems, refused } = readQuery(new URLSearchParams(query), params);
    return [...problems, ...(check?.(values, refused) ?? [])];
  };
  const missing = problemsOf({});
  const [particular] = Object.entries(params).find(([, { schema }]) => schema.enum ?? schema.pattern) ?? [];
  const problems = missing.length > 0 || !particular ? missing : problemsOf({ [particular]: "fall" });
  return problems.length > 0 ? problems.join("; ") : undefined;
}

/** The headers of an answer that can be kept, and of the 304 in its place. */
const freshHeaders = ({ crawledAt, isLive }: Endpoint): ResponseHeader[] => [
  "X-Data-Snapshot",
  "ETag",
  "Last-Modified",
  ...(crawledAt ? (["Age"] as const) : []),
  ...(isLive ? (["X-Cache"] as const) : []),
  "Warning",
  "Preference-Applied",
];

/** The JSON of a 200; with `compat` it stands in its envelope. */
function toContent({ returns }: Endpoint, compat: boolean): Schema {
  const [schema, example] = [referTo(returns), ANSWERS[returns]];
  if (!compat) return { schema, example };
  return { schema: enveloped(schema), example: envelopedExample(returns) };
}

/** The operation of a GET. */
export function toOperation(endpoint: Endpoint, compat: boolean): Schema {
  const { path, summary, id, isLive } = endpoint;
  const fresh = freshHeaders(endpoint);
  const wrong = {
    status: 400,
    description: "The question is wrong; the message names every parameter that is",
    message: wrongQuestion(endpoint) ?? MALFORMED,
  };
  const formats = toFormats(endpoint);
  const unknown = id && { status: 404, description: "There is nothing with this id", message: id.unknown };
  return {
    operationId: operationId(path),
    tags: [tagOf(path)],
    summary,
    parameters: toParameters(endpoint),
    responses: {
      200: {
        description: [
          isLive ? "The answer; a live one is `no-store` and has no ETag" : "The answer",
          ...(formats ? ["As CSV, NDJSON or Parquet with `format`, or by `Accept`"] : []),
        ].join(". "),
        headers: headersOf(
          ...fresh,
          ...(isPaged(endpoint) ? (["Link", "X-Total-Count"] as const) : []),
          "Content-Encoding",
          "Content-Length",
          "Content-Disposition",
        ),
        content: { "application/json": toContent(endpoint, compat) },
        ...(formats ? { "x-formats": formats } : {}),
      },
      304: { description: "Not changed since the ETag in If-None-Match", headers: headersOf(...fresh) },
      400: toRefusal(wrong, compat),
      ...(unknown ? { 404: toRefusal(unknown, compat) } : {}),
      ...GENERAL_REFUSALS,
      ...referToRefusals("NothingPublished"),
      ...(isLive ? referToRefusals("UpstreamFailed", "UpstreamTimedOut") : {}),
    },
  };
}
