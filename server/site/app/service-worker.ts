/** What was visited works without a network: the newest response of the server, else the last one that was seen. */

const CACHE = "visited-1";
const MAX_ENTRIES = 400;
const scope = (globalThis as unknown as { readonly registration: { readonly scope: string } }).registration.scope;

/** Every view is the same page; some addresses are JSON too, and a cache has one entry for an address. */
const PAGE = `${scope}page`;

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
  /** Keeps the worker alive until then. */
  waitUntil(work: Promise<void>): void;
}

addEventListener("fetch", (event) => {
  const fetching = event as FetchEvent;
  const { request } = fetching;
  const path = request.url.slice(scope.length);
  // Files of tables are large, and streams do not end.
  const isKept =
    request.method === "GET" &&
    request.url.startsWith(scope) &&
    !path.startsWith("v1/data/") &&
    request.headers.get("accept") !== "text/event-stream";
  if (isKept) fetching.respondWith(fromNetwork(fetching));
});

async function fromNetwork(event: FetchEvent): Promise<Response> {
  const { request } = event;
  try {
    const response = await fetch(request);
    // A full disk does not matter to the response.
    if (response.status === 200) event.waitUntil(keep(request, response.clone()).catch(() => undefined));
    return response;
  } catch (error) {
    const cache = await caches.open(CACHE);
    const seen = await cache.match(request);
    const response = seen ?? (request.mode === "navigate" ? await cache.match(PAGE) : undefined);
    if (!response) throw error;
    return response;
  }
}

async function keep(request: Request, response: Response): Promise<void> {
  const cache = await caches.open(CACHE);
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  await cache.put(isPage ? PAGE : request, response);
  await forgetOldest(cache);
}

async function forgetOldest(cache: Cache): Promise<void> {
  const requests = await cache.keys();
  await Promise.all(requests.slice(0, Math.max(0, requests.length - MAX_ENTRIES)).map((old) => cache.delete(old)));
}
