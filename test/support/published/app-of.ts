/** The application over an open store, as the server builds it. */
import { silentLog } from "../../../pipeline/log.ts";
import { toCompat } from "../../../server/compat/compat.ts";
import type { Pool } from "../../../server/duckdb/pool.ts";
import { createApp } from "../../../server/http/app.ts";
import { type BodyCache, createBodyCache } from "../../../server/http/cache.ts";
import { createViews } from "../../../server/http/views.ts";
import { createRespond, type RespondParts } from "../../../server/http/respond.ts";
import { plain } from "../../../server/modes.ts";
import type { Endpoint, LiveSchedule } from "../../../server/response/endpoint.ts";
import type { Mode } from "../../../server/response/mode.ts";
import type { Store } from "../../../server/snapshot/store.ts";

export const modeOf = (isCompat: boolean, endpoints = plain.endpoints): Mode =>
  isCompat ? toCompat({ ...plain, endpoints }) : { ...plain, endpoints };

const installation = { base: "/", trustProxy: false };

export function appOf({
  store,
  pool,
  live,
  endpoints,
  compat = false,
  cache = createBodyCache(),
  log = silentLog,
  pages = {},
  ...more
}: {
  readonly store: Store;
  readonly pool: Pool;
  readonly live?: LiveSchedule;
  readonly endpoints?: readonly Endpoint[];
  readonly compat?: boolean;
  readonly cache?: BodyCache;
} & Partial<Pick<Parameters<typeof createApp>[0], "log" | "pages">> &
  Partial<Pick<RespondParts, "largeResponses" | "now" | "openStream" | "responseCache">>) {
  const mode = modeOf(compat, endpoints);
  const withView = createViews({ store, pool, live, bodies: cache, installation });
  return createApp({
    ...mode,
    respond: createRespond({ ...mode, withView, installation, ...more }),
    ...{ log, pages },
  });
}
