/** Asks this server; what goes wrong becomes a sentence for people. */

const BASE = "/v1/rest";

/** The address of an endpoint with a query; empty values are left out. */
export function addressOf(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given).toString();
  return `${BASE}${path}${text === "" ? "" : `?${text}`}`;
}

/** The JSON at an address. @throws Error whose message can be shown; an aborted request throws what `fetch` throws */
export async function ask(address, signal) {
  let response;
  try {
    response = await fetch(address, { headers: { accept: "application/json" }, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server cannot be reached. Is it running, and is this device online?", { cause: error });
  }
  const body = await response.json().catch(() => undefined);
  if (!response.ok) throw new Error(body?.message ?? `The server answered with status ${response.status}.`);
  // With COMPAT=1 every answer stands in an envelope.
  return body !== null && typeof body === "object" && "payload" in body && "requestId" in body ? body.payload : body;
}
