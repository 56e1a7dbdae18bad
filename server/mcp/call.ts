/**
 * Calls a tool: sends the same request as over HTTP within the process, and converts the response to a structured
 * result.
 */
import { termName } from "../../pipeline/contract/vocabulary.ts";
import { BASE } from "../response/endpoint.ts";
import { CACHE_STATUS } from "../response/headers.ts";
import { decodeText } from "../response/warnings.ts";
import type { Store } from "../snapshot/store.ts";
import { answerBytes, fits, MAX_ANSWER_BYTES, type Result } from "./answer.ts";
import { findPeople } from "./people.ts";
import type { Arguments, EndpointTool } from "./tool.ts";

/** Parameters that do not make a list shorter. */
const NO_FILTERS: ReadonlySet<string> = new Set([
  ...["limit", "offset", "fields", "sort", "instructorIds", "cancelledCourses", "q"],
]);

export interface Caller {
  /** Sends a request to this server's application within the process. */
  readonly sendRequest: (url: string, init: RequestInit) => Promise<Response>;
  readonly store: Store;
  /** Reserves memory for a body; the returned function releases it. @throws Problem (503) */
  readonly reserveMemory: (bytes: number, signal: AbortSignal) => Promise<() => void>;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** A failure whose message is written for the caller of the tool. */
export class ToolProblem extends Error {
  override name = "ToolProblem";
}

/** Parses the texts of `Warning: 299 - "…"`. */
function readWarnings(header: string | null): string[] {
  return [...(header ?? "").matchAll(/299 - "([^"]*)"/g)].map(([, text = ""]) => decodeText(text));
}

/** Suggests how to narrow the result: by the parameters that were not given. */
function toNarrow({ record }: EndpointTool, args: Arguments): string {
  const more = record.params.filter((name) => !NO_FILTERS.has(name) && (args[name] ?? undefined) === undefined);
  return more.length > 0 ? ` Narrow by ${more.join(", ")}.` : "";
}

/** Rounds averages to two decimals, which is the precision of the records office. */
const rounded = (name: string, value: unknown): unknown =>
  name === "averageGPA" && typeof value === "number" ? Math.round(value * 100) / 100 : value;

/** Sends a request. @throws ToolProblem with the message of the response */
async function send(url: string, { sendRequest, store, reserveMemory, requestId, signal }: Caller): Promise<Result> {
  const response = await sendRequest(url, { signal, headers: { "x-request-id": requestId } });
  const { headers } = response;
  if (!response.ok) throw new ToolProblem(((await response.json()) as { message: string }).message);
  const warnings = readWarnings(headers.get("warning"));
  const modified = headers.get("last-modified");
  if (headers.get("cache-status") === CACHE_STATUS.miss) {
    const terms = store.current()?.publishedTerms.map(termName) ?? [];
    warnings.push(`this term is not published here; the published terms are ${terms.join(", ")}`);
  }
  const counted = headers.get("x-total-count");
  // The bytes of a body count toward the memory of large responses.
  const release = await reserveMemory(Number(headers.get("content-length") ?? 0), signal);
  try {
    return {
      snapshot: headers.get("x-data-snapshot") ?? "",
      ...(modified ? { updated: new Date(modified).toISOString() } : {}),
      warnings,
      ...(counted === null ? {} : { total: Number(counted) }),
      data: JSON.parse(await response.text(), rounded) as unknown,
    };
  } finally {
    release();
  }
}

/** Returns the distinct section codes of a schedule, ascending. */
function sectionCodes(schedule: unknown): string[] {
  const codes = new Set<string>();
  JSON.stringify(schedule, (name, value: unknown) => {
    if (name === "sectionCode" && typeof value === "string") codes.add(value);
    return value;
  });
  return [...codes].sort();
}

/**
 * Returns values of `sectionCodes` that together cover all sections of a schedule, each with at most about `bytes` of
 * it.
 */
export function sectionParts(schedule: unknown, bytes: number): string[] {
  const codes = sectionCodes(schedule);
  // Every part repeats what surrounds the sections, and sections vary in length.
  const parts = Math.ceil((1.5 * Buffer.byteLength(JSON.stringify(schedule))) / bytes);
  const size = Math.max(1, Math.floor(codes.length / parts));
  return Array.from({ length: Math.ceil(codes.length / size) }, (_, i) => {
    const partCodes = codes.slice(i * size, (i + 1) * size);
    return partCodes.length === 1 ? (partCodes[0] as string) : `${partCodes[0]}-${partCodes.at(-1)}`;
  });
}

/** Replaces data that is too long by instructions to get it in smaller calls. */
function withoutData({ data, ...result }: Result, { record }: EndpointTool, args: Arguments): Result {
  const parts = record.params.includes("sectionCodes") ? sectionParts(data, MAX_ANSWER_BYTES) : [];
  const fields = record.params.includes("fields") ? "Give only the fields that you need, or select" : "Select";
  const advice =
    parts.length > 1
      ? `Give one of these values of sectionCodes in each call: ${parts.join(", ")}.`
      : `${fields} the columns that you need with the tool sql, FROM ${record.table}.`;
  const next = Number(args["offset"] ?? 0) + 1;
  const nextPage = next < (result.total ?? 0) ? ` Give offset ${next} for the next ones.` : "";
  return { ...result, narrow: `The data alone is longer than an answer may be. ${advice}${nextPage}` };
}

/** Counts the elements that `limit` and `offset` count: for the schedule, its courses. */
function countElements(data: unknown): number {
  if (Array.isArray(data)) return data.length;
  const { schools = [] } = data as { schools?: { departments: { courses: unknown[] }[] }[] };
  return schools.flatMap(({ departments }) => departments.flatMap(({ courses }) => courses)).length;
}

/** Describes an incomplete result: the total number of elements, and the call that returns the next ones. */
function withRest(result: Result, tool: EndpointTool, args: Arguments): Result {
  const { total, data } = result;
  if (total === undefined) return result;
  const [, noun = "elements"] = tool.record.most ?? [];
  const offset = Number(args["offset"] ?? 0);
  const shown = countElements(data);
  const next = offset + shown;
  if (shown === 0 || next >= total) return result;
  const which = tool.record.isRanked && offset === 0 ? `the best ${shown}` : `${shown}`;
  return {
    ...result,
    narrow: `${total} ${noun} match; ${which} are shown. Give offset ${next} for the next ones.${toNarrow(tool, args)}`,
  };
}

/**
 * Calls a tool. A list that is too long is cut to what fits into an answer.
 * @throws ToolProblem; Problem for invalid arguments
 */
export async function callTool(tool: EndpointTool, args: Arguments, caller: Caller): Promise<Result> {
  // Report invalid arguments before any lookup.
  tool.toUrl(args);
  // People are looked up as of the same time as the call.
  const { asOf } = args;
  const moment = typeof asOf === "string" ? { asOf } : {};
  const listPeople = (query: Readonly<Record<string, string>>) =>
    send(`${BASE}/instructors?${new URLSearchParams({ ...query, ...moment })}`, caller);
  const resolved = await findPeople(tool, args, listPeople);
  if ("candidates" in resolved) return resolved.candidates;
  const result = await callEndpoint(tool, resolved.args, caller);
  return { ...result, warnings: [...resolved.notes, ...result.warnings] };
}

async function callEndpoint(tool: EndpointTool, args: Arguments, caller: Caller): Promise<Result> {
  let result = withRest(await send(tool.toUrl(args), caller), tool, args);
  if (result.total === undefined || !tool.record.most) return fits(result) ? result : withoutData(result, tool, args);
  for (let count = countElements(result.data); !fits(result);) {
    if (count <= 1) return withoutData(result, tool, args);
    // Elements vary in length, so estimate on the safe side.
    const likely = Math.floor((0.95 * count * MAX_ANSWER_BYTES) / answerBytes(result));
    count = Math.max(1, Math.min(likely, count - 1));
    result = withRest(await send(tool.toUrl({ ...args, limit: count }), caller), tool, args);
  }
  return result;
}
