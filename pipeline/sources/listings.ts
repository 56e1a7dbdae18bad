/** The schedule system's search form. */
import type { UpstreamResponse } from "./client/exchange.ts";
import type { Client } from "./client/http.ts";

/**
 * Fetches the form.
 * @param parse an UpstreamBadResponse that it throws is retried
 * @throws UpstreamError
 */
export function fetchListings<Listing>(
  client: Client,
  url: URL,
  parse: (response: UpstreamResponse) => Listing,
  signal?: AbortSignal,
): Promise<Listing> {
  return client.request({ url, ...(signal ? { signal } : {}) }, parse);
}
