/** The schedule system's search form, asked for by an empty GET. */
import type { Answer, Client } from "./http.ts";

/**
 * Asks for the form.
 * @param parse reads it; when it throws UpstreamBadResponse, the form is asked for again
 * @throws UpstreamError
 */
export function askListings<Listing>(
  client: Client,
  url: URL,
  parse: (answer: Answer) => Listing,
  signal?: AbortSignal,
): Promise<Listing> {
  return client.ask({ url, ...(signal ? { signal } : {}) }, parse);
}
