const CACHE = "visited-1";
const MAX_ENTRIES = 400;
const scope = globalThis.registration.scope;
addEventListener("fetch", (event) => {
  const { request } = event;
  const path = request.url.slice(scope.length);
  // Files of tables are large, and streams do not end.
  const isKept =
    request.method === "GET" &&
    request.url.startsWith(scope) &&
    !path.startsWith("v1/data/") &&
    request.headers.get("accept") !== "text/event-stream";
  if (isKept) event.respondWith(fromNetwork(request));
});
async function fromNetwork(request) {
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
async function forgetOldest(cache) {
  const requests = await cache.keys();
  await Promise.all(requests.slice(0, Math.max(0, requests.length - MAX_ENTRIES)).map((old) => cache.delete(old)));
}
