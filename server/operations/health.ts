/** `/ready` is 200 when data is served; `refused` says why a newer generation is not. `/health` is 200 while the process answers. */
import { JSON_TYPE } from "../headers.ts";
import { type Pages, sendPage } from "../page.ts";
import type { Store } from "../store.ts";

export function createHealth(store: Store): Pages {
  return {
    "/health": ({ requestId }) => sendPage(requestId, 200, JSON_TYPE, '{"status":"ok"}'),
    "/ready": ({ requestId }) => {
      const { id, generation, refused } = store.state();
      const body = {
        status: id === undefined ? "no data" : refused === undefined ? "ready" : "degraded",
        snapshot: id ?? null,
        generation: generation ?? null,
        refused: refused ?? null,
        freshness: store.freshness(),
      };
      return sendPage(requestId, id === undefined ? 503 : 200, JSON_TYPE, JSON.stringify(body));
    },
  };
}
