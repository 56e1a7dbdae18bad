/** An endpoint is a record; app.ts does everything that all of them share. */
import type { Freshness, Product } from "../../pipeline/contract/manifest.ts";
import type { LiveQuestion } from "../../pipeline/live.ts";
import type { Fragment } from "../duckdb/sql.ts";
import type { Params, ValuesOf } from "./params.ts";
import type { Pool } from "../duckdb/pool.ts";
import type { ShapeName } from "./shapes.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** The path below which every endpoint stands. */
export const BASE = "/v1/rest";

/** Asks the upstream schedule system. */
export interface LiveSchedule {
  /**
   * The answer is at least what matches, as relations with the contract's columns.
   * @param signal ends this client's wait; others who asked the same still get their answer
   * @throws UpstreamTimeout (504), other UpstreamErrors (502); Problem (502) when no upstream is configured
   */
  ask(query: LiveQuestion, signal: AbortSignal): Promise<{ sections: Fragment; headings: Fragment }>;
}

/** A JSON text in pieces that need not be joined, or one that is made while it is sent. */
export type Body = readonly Buffer[] | AsyncIterable<Buffer>;

export interface EndpointResult {
  readonly body: Body;
  /** Headers of this answer, such as X-Cache. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many rows the body holds, where that is known. */
  readonly rows?: number;
  /** A live answer: nobody may keep it. */
  readonly noStore?: boolean;
}

/** An answer that is an array: how much of it is sent, paging decides. */
export interface List {
  readonly total: number;
  /** The JSON array of the elements `from` to `to` (not included). */
  part(from: number, to: number): Body | Promise<Body>;
}

export interface EndpointContext {
  readonly snapshot: Snapshot;
  readonly pool: Pool;
  readonly freshness: Freshness;
  readonly live: LiveSchedule;
  /** Aborts when the client hangs up: nobody has to be asked for it any more. */
  readonly signal: AbortSignal;
  /** The `:id` of the path, decoded once. */
  readonly id: string;
  readonly now: Date;
  /** Whether the answer has the shapes of COMPAT=1; the snapshot's tables have them then. */
  readonly compat: boolean;
}

export interface Endpoint<P extends Params = Params> {
  /** Below `/v1/rest`; may end in `/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly params: P;
  /** What the `:id` of the path is, for the documentation: an example, and the message about an unknown one. */
  readonly id?: { readonly about: string; readonly example: string; readonly unknown: string };
  /** A question worth asking, for the documentation: parameter → value. */
  readonly example?: { readonly [K in keyof P]?: string };
  /** Rules across parameters: one sentence for each that is broken. `refused` were given, but could not be read. */
  readonly check?: (values: ValuesOf<P>, refused: ReadonlySet<string>) => string[];
  /** What decides the answer besides the values, such as today's date. */
  readonly dependsOn?: (values: ValuesOf<P>, asked: Pick<EndpointContext, "now" | "freshness">) => string;
  /** Whose freshness the answer's Last-Modified is. */
  readonly products: readonly Product[];
  /** When the data behind these values was looked at last, where that is not the products' time; also the base of Age. */
  readonly crawledAt?: (
    values: ValuesOf<P>,
    asked: Pick<EndpointContext, "snapshot" | "freshness">,
  ) => string | undefined;
  /** The earliest moment at which the answer may change without a new snapshot. */
  readonly validUntil?: (values: ValuesOf<P>, now: Date) => Date | undefined;
  /** True when these values ask the upstream and never the snapshot. */
  readonly isLive?: (values: ValuesOf<P>, snapshot: Snapshot) => boolean;
  /** True when the body is made while it is sent, so that two requests cannot share it. */
  readonly streams?: boolean;
  readonly answer: (values: ValuesOf<P>, asked: EndpointContext) => Promise<EndpointResult | List>;
  /** How many elements of an array are given when `limit` is not; without it all of them. */
  readonly defaultLimit?: number;
  /** The shape of a 200 body. */
  readonly returns: ShapeName;
}

/** Declares an endpoint: ties the types of its parameters to its functions. */
export function defineEndpoint<P extends Params>(endpoint: Endpoint<P>): Endpoint {
  return endpoint as unknown as Endpoint;
}

/**
 * One predicate for each parameter: a parameter without one does not compile. `null` says that a parameter is no filter of its own.
 */
export type Filters<P extends Params> = {
  readonly [K in keyof P]: ((value: NonNullable<ValuesOf<P>[K]>, values: ValuesOf<P>) => Fragment) | null;
};

/** The conditions that the given values ask for. */
export function toConditions<P extends Params>(filters: Filters<P>, values: ValuesOf<P>): Fragment[] {
  const conditions: Fragment[] = [];
  for (const [key, filter] of Object.entries(filters) as [keyof P, Filters<P>[keyof P]][]) {
    const value = values[key];
    if (filter && value !== undefined) conditions.push(filter(value as never, values));
  }
  return conditions;
}
