/** An endpoint is a record; server/http implements everything that endpoints share. */
import type { Freshness, Product } from "../../pipeline/contract/documents/manifest.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import type { LiveQuery } from "../../pipeline/live.ts";
import type { Fragment } from "../duckdb/sql.ts";
import type { Params, ValuesOf } from "./params.ts";
import type { Pool } from "../duckdb/pool.ts";
import type { Shape } from "./shapes/shape.ts";
import type { TermPart } from "../snapshot/generation.ts";
import type { History } from "../snapshot/history.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

export const BASE = "/v1/rest";

/** The rows returned by the upstream, as relations with the contract's columns. */
export interface LiveRows {
  readonly sections: Fragment;
  readonly headings: Fragment;
  /** The upstream's address without secrets. */
  readonly address: string;
}

export interface LiveSchedule {
  /**
   * Returns a superset of the matching rows.
   * @param signal aborts this client's wait only; concurrent clients with the same query still get their result
   * @throws UpstreamTimeout (504), other UpstreamErrors (502); Problem (502) when no upstream is configured
   */
  ask(query: LiveQuery, signal: AbortSignal): Promise<LiveRows>;
}

/** A body as chunks, buffered or streamed. */
export type Body = readonly Buffer[] | AsyncIterable<Buffer>;

export interface EndpointResult {
  readonly body: Body;
  /** Headers of this response, such as Cache-Status. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly rows?: number;
  /** The size in bytes of a streamed body, if known. */
  readonly length?: number;
}

/** Rows of a loaded table by `row_id`, in the order of the response. */
export interface Selection {
  /** The JSON of the table's rows. */
  readonly records: readonly string[];
  /** Undefined = all records. */
  readonly rowIds: Int32Array | undefined;
}

export interface List extends Pick<EndpointResult, "headers"> {
  readonly total: number;
  /** Returns the JSON of the elements [from, to): an array, possibly with other fields around it. */
  part(from: number, to: number): Body | Promise<Body>;
  /** The elements, if they are rows of a loaded table. */
  readonly selection?: Selection;
  /** Counts the rows of these elements, if an element can have several. */
  rows?(from: number, to: number): number;
  /**
   * Returns the newest elements as an Atom feed, or a page counted from the newest; `url` is the feed's own path and
   * query.
   */
  feed?(page: Page | undefined, url: string): Promise<Pick<EndpointResult, "body" | "rows">>;
}

export interface EndpointContext {
  readonly snapshot: Snapshot;
  readonly pool: Pool;
  readonly freshness: Freshness;
  readonly history: History;
  /** Undefined = the upstream is never queried. */
  readonly live: LiveSchedule | undefined;
  /** Aborts when the client disconnects; created on the first call. */
  signal(): AbortSignal;
  /** Returns the client that the request is counted for. */
  client(): string;
  readonly id: string;
  readonly now: Date;
  /**
   * The path prefix of the installation, with a slash at both ends; precedes addresses that clients resolve against the
   * host.
   */
  readonly base: string;
  /** Returns the address of the installation as the client wrote it, such as `https://data.example.edu/academic/`. */
  address(): string;
}

export interface Page {
  /** Undefined = everything from `offset` on. */
  readonly limit: number | undefined;
  readonly offset: number;
}

/**
 * Selects the rows of a response from the published tables: for `explain=true` (server/RULES.md, Time), for files and,
 * where an endpoint has no `answer`, for JSON.
 */
export interface Statement {
  /** The tables that the response is made from, or the partitions of a term. */
  readonly reads: readonly { readonly table: TableName; readonly term?: TermPart }[];
  /**
   * Selects the rows of the response from published tables and views by name, in the order of the response if it has
   * one.
   */
  readonly select: Fragment;
  /** The rows that the upstream returned, if it was queried; they replace the published tables. */
  readonly live?: LiveRows;
  /** The rows of CSV, NDJSON and Parquet, if they differ from those of the statement. */
  readonly flat?: Fragment;
  /** A faster statement with the same number of rows, for counting. */
  readonly counted?: Fragment;
  /** The rows of `grades` that the response is made from. */
  readonly grades?: Fragment;
  /**
   * Returns the same statement over loaded tables, for JSON; undefined = JSON is read from the published tables too.
   */
  readonly loaded?: () => Fragment | Promise<Fragment>;
  /** The headers of the response, as in the result of `answer`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A link to a related resource (RFC 8288, `rel="related"`). */
export interface RelatedLink {
  /** The path below the prefix of the installation: `/v1/rest/grades/aggregate?…`. */
  readonly path: string;
  readonly title: string;
}

/** A period in which a response changes only with the data. */
export interface Period {
  readonly name: string;
  /** When the response last changed and may next change; undefined = never. */
  readonly since?: Date;
  readonly until?: Date;
}

/** The kind of content; see `Representation.of`. */
export type Content = "changes" | "sections";

export interface Endpoint<P extends Params = Params> {
  // The request.

  /** The path below `/v1/rest`; may end in `/:id`. */
  readonly path: string;
  readonly alsoAt?: string;
  /** A declared `limit` has a default; otherwise `limit` is added and all elements are returned by default. */
  readonly params: P;
  readonly id?: {
    readonly about: string;
    readonly example: string;
    /** An example of the 404 message. */
    readonly unknown: string;
    /** Returns a key that is equal for equivalent ids; by default ids are case-insensitive. */
    readonly key?: (id: string) => string;
    /** True if some ids contain slashes, which many clients do not encode: the rest of the path is the id. */
    readonly hasSlashes?: boolean;
  };
  /**
   * Checks cross-parameter rules; returns one sentence per violation. `refused` parameters were given but are invalid.
   */
  readonly check?: (values: ValuesOf<P>, refused: ReadonlySet<string>) => string[];

  // The response.

  /** Returns the statement of the rows. Throws whatever `answer` throws for an unknown id. */
  readonly statement: (
    values: ValuesOf<P>,
    context: EndpointContext,
    page: Page | undefined,
  ) => Statement | Promise<Statement>;
  /**
   * Returns at least one statement over published files; their rows in sequence are those of `statement`. Used when there
   * are too many rows to sort at once. `rows` is the total number of rows.
   */
  readonly inParts?: (
    values: ValuesOf<P>,
    context: EndpointContext,
    page: Page | undefined,
  ) => Promise<{ readonly statements: readonly Fragment[]; readonly rows: number }>;
  /** Returns a response that no statement gives, or not fast enough; by default the rows of `statement`. */
  readonly answer?: (values: ValuesOf<P>, context: EndpointContext) => Promise<EndpointResult | List>;
  /** True when the body is streamed, so that concurrent requests cannot share it. */
  readonly streams?: boolean;
  readonly returns: Shape;
  /**
   * Names what `limit` and `offset` count if the response is not an array: `answer` returns a List of these elements.
   */
  readonly pagesOf?: string;
  /**
   * With a value for each of these parameters, the JSON is the single row of `statement` instead of an array; `unknown` is
   * an example of the 404 message.
   */
  readonly single?: { readonly of: readonly (keyof P)[]; readonly returns: Shape; readonly unknown: string };
  /**
   * The kind of content, which enables further formats: changes as a feed and an event stream, sections as a calendar.
   */
  readonly content?: Content;
  /**
   * Returns texts for `Warning: 299` about values, or an id, that the snapshot does not know or knows by another name.
   */
  readonly warnings?: (values: ValuesOf<P>, snapshot: Snapshot, id: string) => string[];
  /** Returns the canonical id if the requested one is an alias: its address becomes `Content-Location`. */
  readonly standsFor?: (id: string, snapshot: Snapshot) => string | undefined;
  readonly links?: (context: EndpointContext) => Promise<readonly RelatedLink[]>;

  // Everything that can change the response to an equal request.

  /**
   * The published tables that `answer` reads and that an earlier snapshot loads for it. A body is valid for all
   * snapshots with the same rows in them.
   */
  readonly tables: readonly TableName[];
  /** True when a response depends on more of its snapshot than `tables`. */
  readonly isOfSnapshot?: boolean;
  /** The products of the response; the newest of their times is Last-Modified. */
  readonly products: readonly Product[];
  /** Returns the current period of a response that changes over time. */
  readonly period?: (values: ValuesOf<P>, now: Date) => Period;
  /** Present for data that is crawled per term and queried from the upstream where it is not published. */
  readonly live?: {
    /** True when these values query the upstream instead of the snapshot. */
    readonly isAsked: (values: ValuesOf<P>, snapshot: Snapshot) => boolean;
    /** Returns when the data for these values was last crawled. */
    readonly crawledAt: (values: ValuesOf<P>, freshness: Freshness) => string | undefined;
  };

  // The documentation.

  readonly summary: string;
  /** Returns a title for a response: "Open sections in COMPSCI, Fall 2026". */
  readonly title: (values: ValuesOf<P>, context: Pick<EndpointContext, "id" | "now">) => string;
  readonly example?: { readonly [K in keyof P]?: string };
}

/** Declares an endpoint and infers the types of its functions from its parameters. */
export function defineEndpoint<P extends Params>(endpoint: Endpoint<P>): Endpoint {
  return endpoint as unknown as Endpoint;
}
