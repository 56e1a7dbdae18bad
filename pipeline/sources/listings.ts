/** The schedule system's search form, asked for by an empty GET. */
import type { UpstreamResponse, Client } from "./http.ts";

/**
 * Asks for the form.
 * @param parse reads it; when it throws UpstreamBadResponse, the form is asked for again
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
