/** A client that does not wait. */
import { type Client, createClient } from "../../../pipeline/sources/client/http.ts";

export function hastyClient(system: string): Client {
  return createClient(system, {
    concurrency: 4,
    pauseMs: 0,
    timeoutMs: 5000,
    retries: 2,
    backoffMs: 1,
    backoffCapMs: 5,
  });
}
