/** Parses the path id and the query of a request by its endpoint's parameters, and writes them in normal form. */
import type { H3Event } from "h3";
import { BASE, type Endpoint } from "./endpoint.ts";
import { REPRESENTATIONS } from "./representations/all.ts";
import type { RequestParams, Representation } from "./representations/representation.ts";
import { logFieldsOf, type RequestLogFields } from "../telemetry/observation.ts";
import { isSingle, pageOf } from "./paging.ts";
import { type Param, ParamProblem, type Params, type ValuesOf } from "./params.ts";
import { isStrict, representationFor } from "./negotiation.ts";
import { Problem, shown } from "./problem.ts";
import { REQUEST_LIMITS } from "./request-limits.ts";
import { didYouMean, unknownProblems } from "./warnings.ts";

/** A parsed request to an endpoint; `values` are those of the endpoint's own parameters. */
export interface EndpointRequest extends RequestParams {
  readonly event: H3Event;
  readonly log: RequestLogFields;
  readonly now: Date;
  /** The percent-decoded id of the path, or "" if the path has none. */
  readonly id: string;
  readonly asOf: string | undefined;
  readonly representation: Representation;
  readonly strict: boolean;
  readonly unknown: readonly string[];
}

/** The values of the parameters that `endpoints/all.ts` adds. */
interface SharedValues {
  readonly asOf?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly fields?: readonly string[];
  readonly format?: string;
  readonly explain?: boolean;
}

/** Parses a request. @throws Problem (400) that names every wrong parameter */
export function readRequest(
  endpoint: Endpoint,
  event: H3Event,
  representations: readonly Representation[] = REPRESENTATIONS,
  now = new Date(),
): EndpointRequest {
  const { req, url } = event;
  const { values: allValues, problems, refused, unknown } = readQuery(url.searchParams, endpoint.params);
  if (endpoint.check) problems.push(...endpoint.check(allValues, refused));
  const { asOf, limit, offset, fields, format: _format, explain: _explain, ...values } = allValues as SharedValues;
  const representation = representationFor(endpoint, allValues, req.headers.get("accept"), representations);
  if (fields && !representation.hasFields)
    problems.push(`fields cannot be given with the format ${representation.name}: they are those of JSON`);
  const strict = isStrict(req.headers.get("prefer"));
  if (problems.length > 0 || (strict && unknown.length > 0))
    throw new Problem(400, [...problems, ...unknownProblems(unknown, endpoint.params, strict)].join("; "));
  return {
    event,
    log: logFieldsOf(event),
    now,
    endpoint,
    id: readId(endpoint, event),
    values,
    asOf,
    page: isSingle(endpoint, values) ? undefined : pageOf(endpoint, limit, offset),
    fields,
    representation,
    url: (set) => normalizedUrl(endpoint, event, allValues, set),
    strict,
    unknown,
  };
}

/**
 * Returns the percent-decoded part of the path that `:id` stands for, or "" if the path has none. @throws Problem (400)
 */
export function readId({ path, id }: Endpoint, { url }: H3Event): string {
  if (!id) return "";
  const idOffset = `${BASE}${path}`.length - ":id".length;
  try {
    return decodeURIComponent(url.pathname.slice(idOffset).replace(/\/$/, ""));
  } catch {
    throw new Problem(400, "The id in the path is not properly percent-encoded.");
  }
}

export function readQuery<P extends Params>(search: URLSearchParams, params: P) {
  const sent = new Map<string, string[]>();
  for (const [name, value] of search) {
    const values = sent.get(name);
    if (values) values.push(value);
    else sent.set(name, [value]);
  }
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  // Parameters that were given but are invalid: cross-parameter rules must not treat them as absent.
  const refused = new Set<string>();
  const refuse = (name: string, problem: string) => {
    problems.push(problem);
    refused.add(name);
  };
  for (const name in params) {
    const param = params[name] as Param<unknown>;
    const items = itemsOf(param, sent.get(name) ?? []);
    if (items.some((item) => item.includes("\u0000")))
      refuse(name, `Parameter "${name}" must not hold the character U+0000`);
    else if (!param.multi && !param.withCommas && items.some((item) => item.includes(",")))
      refuse(name, `Invalid ${name} provided: ${shown(items.join(","))} (allowed: one value, without commas)`);
    else if (!param.multi && items.length > 1)
      refuse(
        name,
        `Parameter "${name}" takes one value but was given ${items.length} different ones: ${items.slice(0, 3).map(shown).join(", ")}`,
      );
    else if (items.length > REQUEST_LIMITS.values.most)
      refuse(
        name,
        `Parameter "${name}" takes at most ${REQUEST_LIMITS.values.most} values but was given ${items.length}`,
      );
    else
      try {
        const value = items.length === 0 ? undefined : param.read(items);
        if (value !== undefined) values[name] = value;
        else if (param.required) problems.push(`Parameter "${name}" not provided`);
      } catch (error) {
        if (!(error instanceof ParamProblem)) throw error;
        const { message, item = items.join(","), meant } = error;
        refuse(
          name,
          `Invalid ${name} provided: ${shown(item)} (allowed: ${message})${didYouMean(meant === undefined ? [] : [meant])}`,
        );
      }
  }
  const unknown = [...sent.keys()].filter((name) => !Object.hasOwn(params, name));
  return { values: values as ValuesOf<P>, problems, refused, unknown };
}

/**
 * Splits a parameter into items: a comma list, repetition or both if it takes several; drops empty items and
 * duplicates.
 */
function itemsOf({ multi }: Pick<Param<unknown>, "multi">, raw: readonly string[]): readonly string[] {
  // Fast path: most parameters of most requests are absent.
  if (raw.length === 0) return raw;
  const items = multi ? raw.flatMap((value) => value.split(",")).map((item) => item.trim()) : raw;
  return [...new Set(items)].filter((item) => item !== "");
}

const normalizeValue = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).sort() : value;

/** Returns a query that is the same for equivalent requests; part of the cache key and of the entity tag. */
export function normalizedQuery(
  path: string,
  id: string,
  values: Readonly<Record<string, unknown>>,
  dependsOn: string,
  params: Params = {},
): string {
  const entries = Object.keys(values)
    .sort()
    .map((key) => [key, params[key]?.ordered ? values[key] : normalizeValue(values[key])]);
  return JSON.stringify([path, id.toLowerCase(), entries, dependsOn]);
}

/** Returns the request's URL with its id as one segment and its effective parameters in alphabetical order. */
function normalizedUrl(
  endpoint: Endpoint,
  event: H3Event,
  values: object,
  set: Readonly<Record<string, string>> = {},
): string {
  const { params, path, id } = endpoint;
  const { pathname: requestPath, searchParams } = event.url;
  const pathname = id ? `${BASE}${path.replace(":id", encodeURIComponent(readId(endpoint, event)))}` : requestPath;
  const query = new URLSearchParams();
  for (const name of Object.keys(values).sort()) {
    const param = params[name];
    if (!param || name === "explain") continue;
    const items = itemsOf(param, searchParams.getAll(name));
    query.append(name, (param.ordered ? items : [...items].sort()).join(","));
  }
  for (const [name, value] of Object.entries(set)) query.set(name, value);
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}
