/** What was visited works without a network: the newest response of the server, else the last one that was seen. */
export {};

const CACHE = "visited-1";
const MAX_ENTRIES = 400;
const scope = (globalThis as unknown as { readonly registration: { readonly scope: string } }).registration.scope;

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  const path = request.url.slice(scope.length);
  // Files of tables are large, and streams do not end.
  const isKept =
    request.method === "GET" &&
    request.url.startsWith(scope) &&
    !path.startsWith("v1/data/") &&
    request.headers.get("accept") !== "text/event-stream";
  if (isKept) (event as FetchEvent).respondWith(fromNetwork(request));
});

async function fromNetwork(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) {
      await cache.put(request, response.clone());
      await forgetOldest(cache);
    }
    return response;
  } catch (error) {
    const seen = await cache.match(request);
    // Every view is the same page.
    const page = request.mode === "navigate" ? await cache.match(scope, { ignoreVary: true }) : undefined;
    const response = seen ?? page;
    if (!response) throw error;
    return response;
  }
}

async function forgetOldest(cache: Cache): Promise<void> {
  const requests = await cache.keys();
  await Promise.all(requests.slice(0, Math.max(0, requests.length - MAX_ENTRIES)).map((old) => cache.delete(old)));
}
