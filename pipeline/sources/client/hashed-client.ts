/** A client that hashes everything it receives, and records the upstream's time. */
import { createHash } from "node:crypto";
import type { Client } from "./http.ts";

export interface Received {
  readonly sha256: string;
  /** The time of the first request, ISO 8601. */
  readonly fetchedAt: string;
}

export interface HashedClient extends Client {
  /** The hash of all bodies in the order of their addresses; undefined when nothing was received. */
  received(): Received | undefined;
  /** The latest Date header, ISO 8601; undefined when no response had one. */
  latestDate(): string | undefined;
}

export function withHashes(client: Client, now: () => Date): HashedClient {
  const bodies = new Map<string, string>();
  let fetchedAt: string | undefined;
  let latest = -Infinity;
  return {
    ...client,
    request(request, read) {
      fetchedAt ??= now().toISOString();
      const address = `${request.url.href} ${request.form?.toString() ?? ""}`;
      return client.request(request, (response) => {
        const date = Date.parse(response.headers.get("date") ?? "");
        if (date > latest) latest = date;
        // A page that is fetched again replaces its earlier response.
        bodies.set(address, createHash("sha256").update(response.body).digest("hex"));
        return read(response);
      });
    },
    latestDate: () => (latest === -Infinity ? undefined : new Date(latest).toISOString()),
    received() {
      if (fetchedAt === undefined || bodies.size === 0) return undefined;
      const inOrder = [...bodies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sha256]) => sha256);
      return { sha256: createHash("sha256").update(inOrder.join("\n")).digest("hex"), fetchedAt };
    },
  };
}
