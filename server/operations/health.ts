/** `/ready` is 200 when data is served; `refused` says why a newer generation is not. `/health` is 200 while the process answers. */
import { JSON_TYPE } from "../headers.ts";
import { type Pages, sendPage } from "../page.ts";
import type { Follower } from "../../pipeline/follow.ts";
import type { Store } from "../store.ts";

/** `follower`: what another server has that is not here is told as well. */
export function createHealth(store: Store, follower?: Pick<Follower, "state">): Pages {
  return {
    "/health": ({ requestId }) => sendPage(requestId, 200, JSON_TYPE, '{"status":"ok"}'),
    "/ready": ({ requestId }) => {
      const { id, generation, refused } = store.state();
      const following = follower?.state();
      const isWhole = refused === undefined && (following?.problem ?? null) === null;
      const body = {
        status: id === undefined ? "no data" : isWhole ? "ready" : "degraded",
        snapshot: id ?? null,
        generation: generation ?? null,
        refused: refused ?? null,
        freshness: store.freshness(),
        ...(following ? { following } : {}),
      };
      return sendPage(requestId, id === undefined ? 503 : 200, JSON_TYPE, JSON.stringify(body));
    },
  };
}
