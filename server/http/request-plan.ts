/** Reads a request to an endpoint: values, page, format, content encoding, and the headers of every response to it. */
import type { H3Event } from "h3";
import type { Pool } from "../duckdb/pool.ts";
import { departmentWarnings } from "../endpoints/department-warnings.ts";
import { freshnessOf } from "../response/as-of.ts";
import type { Encoding } from "../response/body-cache.ts";
import { GZIP_FIRST } from "../response/compat/envelope.ts";
import { chooseEncoding } from "../response/compression.ts";
import type { Endpoint, EndpointContext, EndpointResult, LiveSchedule, Page } from "../response/endpoint.ts";
import { type Format, hasFormats, settleFormat } from "../response/formats/format.ts";
import { reformat } from "../response/formats/reformat.ts";
import { commonHeaders, JSON_TYPE } from "../response/headers.ts";
import { explain, settleExplanation } from "../response/explain/explain.ts";
import { normalizedQuery, normalizedUrl } from "../response/normalized-query.ts";
import { settlePage, toResult } from "../response/paging.ts";
import { readId } from "../response/path-id.ts";
import { appliedPreference, isStrict } from "../response/prefer.ts";
import { Problem } from "../response/problem.ts";
import { readQuery } from "../response/query.ts";
import { unknownProblems, unknownWarnings } from "../response/warnings.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { AcquireLease } from "../snapshot/lease.ts";
import type { Store } from "../snapshot/store.ts";

export interface IncomingRequest {
  readonly event: H3Event;
  readonly requestId: string;
  readonly now: Date;
  readonly acquire: AcquireLease;
  readonly query: RequestQuery;
  /** For a request as of an earlier time: that time, whether a snapshot id was given, and the generation that retains the snapshot. */
  readonly asOf?: { readonly at: Date; readonly isId: boolean; readonly servedGeneration: number };
}

/** The query string by the endpoint's parameters. */
export interface RequestQuery {
  /** Of the endpoint's own parameters. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly asOf: string | undefined;
  readonly page: Page | undefined;
  readonly format: Format;
  /** The request's normal form, if an explanation is requested instead of the response. */
  readonly explainedUrl: string | undefined;
  /** By the parameter: it goes before the Accept header. */
  readonly isFormatGiven: boolean;
  readonly strict: boolean;
  readonly unknown: readonly string[];
}

/** @throws Problem (400) */
export function readRequest(endpoint: Endpoint, { req, url }: H3Event): RequestQuery {
  const { values: given, problems, refused, unknown } = readQuery(url.searchParams, endpoint.params);
  problems.push(...(endpoint.check?.(given, refused) ?? []));
  const strict = isStrict(req.headers.get("prefer"));
  if (problems.length > 0 || (strict && unknown.length > 0))
    throw new Problem(400, [...problems, ...unknownProblems(unknown, endpoint.params, strict)].join("; "));
  const { asOf, ...present } = given as { asOf?: string };
  const { page, own } = settlePage(endpoint, present);
  const { isExplained, own: asked } = settleExplanation(own);
  const { format, own: values } = settleFormat(endpoint, asked, req.headers.get("accept"));
  return {
    values,
    asOf,
    page,
    format: isExplained ? "json" : format,
    explainedUrl: isExplained ? normalizedUrl(url, endpoint.params, given) : undefined,
    isFormatGiven: isExplained || own["format"] !== undefined,
    strict,
    unknown,
  };
}

export interface PlanParts {
  readonly store: Store;
  readonly pool: Pool;
  /** Undefined = the upstream is never asked. */
  readonly live: LiveSchedule | undefined;
  readonly compat: boolean;
}

export interface RequestPlan {
  readonly values: Readonly<Record<string, unknown>>;
  readonly context: EndpointContext;
  readonly page: Page | undefined;
  readonly format: Format;
  /** Whether the body goes into a COMPAT=1 envelope. */
  readonly wraps: boolean;
  readonly encoding: Encoding;
  readonly isLive: boolean;
  readonly isExplained: boolean;
  readonly headers: Record<string, string>;
  /** `relationKey` names the selected rows, which concurrent requests for other formats share. */
  run(relationKey?: string): Promise<EndpointResult>;
  normalize(): string;
}

/** @throws Problem (400) */
export async function planRequest(
  endpoint: Endpoint,
  snapshot: Snapshot,
  { event, requestId, now, query, asOf }: IncomingRequest,
  { store, pool, live, compat }: PlanParts,
): Promise<RequestPlan> {
  const { headers } = event.req;
  const { values, page, format, explainedUrl, strict, unknown } = query;
  const wraps = compat && format === "json";
  const context: EndpointContext = {
    snapshot: (wraps && snapshot.compat) || snapshot,
    compat: wraps,
    pool,
    freshness: asOf ? freshnessOf(store.freshness()) : store.freshness(),
    history: store.history,
    live,
    id: readId(event),
    now: asOf?.at ?? now,
    // Not a getter: an object with one has a shape of its own, which makes every use of it slow.
    signal: () => event.req.signal,
  };
  const warnings = [
    ...unknownWarnings(unknown, endpoint.params),
    // An earlier snapshot's codes would be read for nothing else.
    ...(await departmentWarnings(endpoint, values, (asOf && store.current()) || snapshot)),
  ];
  // Filled in: copying it for each group of headers costs more than the rest of the plan.
  const dataHeaders = commonHeaders(requestId);
  dataHeaders["Content-Type"] = JSON_TYPE;
  dataHeaders["X-Data-Snapshot"] = snapshot.id;
  dataHeaders["Vary"] = hasFormats(endpoint) ? "Accept-Encoding, Accept, Prefer" : "Accept-Encoding, Prefer";
  if (warnings.length > 0) dataHeaders["Warning"] = warnings.join(", ");
  if (strict) Object.assign(dataHeaders, appliedPreference(strict));
  return {
    values,
    context,
    page,
    format,
    wraps,
    // Parquet is compressed inside.
    encoding:
      format === "parquet"
        ? "identity"
        : chooseEncoding(headers.get("accept-encoding"), wraps ? GZIP_FIRST : undefined),
    isLive: endpoint.isLive?.(values, snapshot) ?? false,
    isExplained: explainedUrl !== undefined,
    headers: dataHeaders,
    async run(relationKey) {
      if (explainedUrl !== undefined) return explain(endpoint, { url: explainedUrl, values }, context, page);
      const result = await toResult(await endpoint.answer(values, context), page, format);
      return reformat(result, format, endpoint, { pool, request: event.req, key: relationKey });
    },
    normalize: () =>
      normalizedQuery(
        endpoint.path,
        context.id,
        // With COMPAT=1 the same request has another body, and so another tag.
        { ...values, ...page, ...(format === "json" ? {} : { format }), ...(wraps ? { compat } : {}) },
        endpoint.dependsOn?.(values, context) ?? "",
      ),
  };
}
