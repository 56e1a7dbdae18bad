/** The application over an open store, as the server builds it. */
import type { H3Event } from "h3";
import { silentLog } from "../../../pipeline/log.ts";
import { toCompat } from "../../../server/compat/compat.ts";
import type { Pool } from "../../../server/duckdb/pool.ts";
import { addressHeaders, installationAddress } from "../../../server/data/installation-address.ts";
import { createApp } from "../../../server/http/app.ts";
import { type BodyCache, createBodyCache } from "../../../server/http/body-cache.ts";
import type { LargeResponses } from "../../../server/http/large-responses.ts";
import { createCurrent } from "../../../server/http/moments/current.ts";
import { createMoments } from "../../../server/http/moments/earlier.ts";
import { clientOfEvent } from "../../../server/response/client-address.ts";
import { createResponder } from "../../../server/http/respond.ts";
import { plain } from "../../../server/modes.ts";
import type { Endpoint, LiveSchedule } from "../../../server/response/endpoint.ts";
import type { Mode } from "../../../server/response/mode.ts";
import type { Store } from "../../../server/snapshot/store.ts";

export const modeOf = (isCompat: boolean, endpoints = plain.endpoints): Mode =>
  isCompat ? toCompat({ ...plain, endpoints }) : { ...plain, endpoints };

const installation = { base: "/", trustProxy: false };
const installed = {
  base: "/",
  addressOf: (event: H3Event) => installationAddress(event, installation),
  addressHeaders: addressHeaders(installation),
  clientOf: (event: H3Event) => clientOfEvent(event, false),
};

export function appOf({
  store,
  pool,
  live,
  endpoints,
  compat = false,
  cache = createBodyCache(),
  largeResponses,
  ...more
}: {
  readonly store: Store;
  readonly pool: Pool;
  readonly live?: LiveSchedule;
  readonly endpoints?: readonly Endpoint[];
  readonly compat?: boolean;
  readonly cache?: BodyCache;
  readonly largeResponses?: LargeResponses;
} & Partial<Pick<Parameters<typeof createApp>[0], "log" | "now" | "openStream" | "pages">>) {
  return createApp({
    ...modeOf(compat, endpoints),
    withMoment: createMoments(createCurrent({ store, pool, live, bodies: cache }), store, installed.clientOf),
    respond: createResponder({ history: store.history, installed, largeResponses }),
    log: silentLog,
    ...more,
  });
}
