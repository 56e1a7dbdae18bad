/** Visited pages work without a network: requests get the server's response, else the last one that was cached. */

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
    return marked(response);
  }
}

/** Tells the page that a response is from the cache; its `Date` says how old it is. */
function marked(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set("x-from-cache", "1");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
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

interface NotificationEvent extends Event {
  readonly notification: { readonly data: string; close(): void };
  waitUntil(work: Promise<unknown>): void;
}
interface Clients {
  matchAll(options: {
    readonly type: "window";
  }): Promise<readonly { readonly url: string; focus(): Promise<unknown> }[]>;
  openWindow(address: string): Promise<unknown>;
}

addEventListener("notificationclick", (event) => {
  const { notification, waitUntil } = event as NotificationEvent;
  notification.close();
  waitUntil.call(event, showView(notification.data));
});

/** The tab that shows it, else a new one. */
async function showView(address: string): Promise<void> {
  const { clients } = globalThis as unknown as { readonly clients: Clients };
  const open = (await clients.matchAll({ type: "window" })).find(({ url }) => url === address);
  await (open ? open.focus() : clients.openWindow(address));
}
