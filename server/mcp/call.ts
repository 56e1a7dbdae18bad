/** Calls a tool: the same request as over HTTP, within the process, and its response as a structured result. */
import { termName } from "../../pipeline/contract/vocabulary.ts";
import { BASE } from "../response/endpoint.ts";
import { CACHE_STATUS } from "../response/headers.ts";
import type { Store } from "../snapshot/store.ts";
import { answerBytes, fits, MAX_ANSWER_BYTES, type Result } from "./answer.ts";
import { findPeople } from "./people.ts";
import { sectionParts } from "./section-parts.ts";
import type { Arguments, EndpointTool } from "./tool.ts";

/** Parameters that make no list shorter. */
const NO_FILTERS: ReadonlySet<string> = new Set([
  ...["limit", "offset", "fields", "sort", "instructorIds", "cancelledCourses", "q"],
]);

/** Asks this server's application, within the process. */
export type Ask = (url: string, init: RequestInit) => Promise<Response>;

/** What a call has of the server. */
export interface Caller {
  readonly ask: Ask;
  readonly store: Store;
  /** Resolves when a body of so many bytes may be held; the returned function ends it. @throws Problem (503) */
  readonly hold: (bytes: number, signal: AbortSignal) => Promise<() => void>;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** A failure whose text is for whoever called the tool. */
export class ToolProblem extends Error {
  override name = "ToolProblem";
}

/** The texts of `Warning: 299 - "…"`. */
function readWarnings(header: string | null): string[] {
  return [...(header ?? "").matchAll(/299 - "([^"]*)"/g)].map(([, text = ""]) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  });
}

/** What would make the result smaller: the parameters that were not given. */
function toNarrow({ record }: EndpointTool, given: Arguments): string {
  const more = record.params.filter((name) => !NO_FILTERS.has(name) && (given[name] ?? undefined) === undefined);
  return more.length > 0 ? ` Narrow by ${more.join(", ")}.` : "";
}

/** Averages have two decimals, as the records office's own have. */
const rounded = (name: string, value: unknown): unknown =>
  name === "averageGPA" && typeof value === "number" ? Math.round(value * 100) / 100 : value;

/** Reads a body as JSON, whose bytes count among those of all large responses. */
async function readJson(response: Response, { hold, signal }: Pick<Caller, "hold" | "signal">): Promise<unknown> {
  const end = await hold(Number(response.headers.get("content-length") ?? 0), signal);
  try {
    return JSON.parse(await response.text(), rounded);
  } finally {
    end();
  }
}

/** @throws ToolProblem with the words of the response */
async function send(url: string, { ask, store, hold, ...caller }: Caller): Promise<Result> {
  const response = await ask(url, {
    signal: caller.signal,
    headers: { "x-request-id": caller.requestId },
  });
  const { headers } = response;
  if (!response.ok) throw new ToolProblem(((await response.json()) as { message: string }).message);
  const warnings = readWarnings(headers.get("warning"));
  const modified = headers.get("last-modified");
  if (headers.get("cache-status") === CACHE_STATUS.miss) {
    const terms = store.current()?.publishedTerms("sections").map(termName) ?? [];
    warnings.push(`this term is not published here; the published terms are ${terms.join(", ")}`);
  }
  const counted = headers.get("x-total-count");
  return {
    snapshot: headers.get("x-data-snapshot") ?? "",
    ...(modified ? { updated: new Date(modified).toISOString() } : {}),
    warnings,
    ...(counted === null ? {} : { total: Number(counted) }),
    data: await readJson(response, { hold, signal: caller.signal }),
  };
}

/** Without its data, and with the calls that bring it, and what comes after it. */
function withoutData({ data, ...result }: Result, { record }: EndpointTool, given: Arguments): Result {
  const parts = record.params.includes("sectionCodes") ? sectionParts(data, MAX_ANSWER_BYTES) : [];
  const fields = record.params.includes("fields") ? "Give only the fields that you need, or select" : "Select";
  const how =
    parts.length > 1
      ? `Give one of these values of sectionCodes in each call: ${parts.join(", ")}.`
      : `${fields} the columns that you need with the tool sql, FROM ${record.table}.`;
  const next = Number(given["offset"] ?? 0) + 1;
  const rest = next < (result.total ?? 0) ? ` Give offset ${next} for the next ones.` : "";
  return { ...result, narrow: `The data alone is longer than an answer may be. ${how}${rest}` };
}

/** Of the directory, as of the same moment as the call. */
function listPeople(query: Readonly<Record<string, string>>, { asOf }: Arguments, caller: Caller): Promise<Result> {
  const moment = typeof asOf === "string" ? { asOf } : {};
  return send(`${BASE}/instructors?${new URLSearchParams({ ...query, ...moment })}`, caller);
}

/** What `limit` and `offset` count: the schedule by its courses. */
function countElements(data: unknown): number {
  if (Array.isArray(data)) return data.length;
  const { schools = [] } = data as { schools?: { departments: { courses: unknown[] }[] }[] };
  return schools.flatMap(({ departments }) => departments.flatMap(({ courses }) => courses)).length;
}

/** Of a part of the elements: how many there are, and the call that brings the next ones. */
function withRest(result: Result, tool: EndpointTool, given: Arguments): Result {
  const { total, data } = result;
  if (total === undefined) return result;
  const [, noun = "elements"] = tool.record.most ?? [];
  const offset = Number(given["offset"] ?? 0);
  const shown = countElements(data);
  const next = offset + shown;
  if (shown === 0 || next >= total) return result;
  const which = tool.record.isRanked && offset === 0 ? `the best ${shown}` : `${shown}`;
  return {
    ...result,
    narrow: `${total} ${noun} match; ${which} are shown. Give offset ${next} for the next ones.${toNarrow(tool, given)}`,
  };
}

/**
 * A list that is longer than an answer may be is given as far as it fits.
 * @throws ToolProblem, and Problem for arguments that no request can have
 */
export async function callTool(tool: EndpointTool, named: Arguments, caller: Caller): Promise<Result> {
  // What is wrong with the arguments is said before anything is looked for.
  tool.toUrl(named);
  const found = await findPeople(tool, named, (query) => listPeople(query, named, caller));
  if ("candidates" in found) return found.candidates;
  const result = await answerCall(tool, found.given, caller);
  return { ...result, warnings: [...found.notes, ...result.warnings] };
}

async function answerCall(tool: EndpointTool, given: Arguments, caller: Caller): Promise<Result> {
  let result = withRest(await send(tool.toUrl(given), caller), tool, given);
  if (result.total === undefined || !tool.record.most) return fits(result) ? result : withoutData(result, tool, given);
  for (let count = countElements(result.data); !fits(result);) {
    if (count <= 1) return withoutData(result, tool, given);
    // Elements differ in their lengths.
    const likely = Math.floor((0.95 * count * MAX_ANSWER_BYTES) / answerBytes(result));
    count = Math.max(1, Math.min(likely, count - 1));
    result = withRest(await send(tool.toUrl({ ...given, limit: count }), caller), tool, given);
  }
  return result;
}
