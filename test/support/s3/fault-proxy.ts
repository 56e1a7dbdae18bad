/**
 * A proxy with faults before an S3 store, on loopback. It forwards a request unchanged, with its Host header, so that
 * signatures stay valid; the store gets a connection for each.
 */
import { request as httpRequest } from "node:http";
import { listenForRequests, type StoreRequest, type StoreResponse } from "./exchange.ts";
import { type FaultHook, type LoggedRequest, respondWithFault } from "./faults.ts";

export interface FaultProxy {
  /** The endpoint for clients. */
  readonly url: string;
  /** Asked for each request in this order, until one names a fault. */
  readonly faults: FaultHook[];
  /** Every request, in the order in which they ended. */
  readonly requests: LoggedRequest[];
  readonly close: () => Promise<void>;
}

/** `store` is the endpoint of the store behind it. */
export async function openFaultProxy(store: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(store);
  const faults: FaultHook[] = [];
  const requests: LoggedRequest[] = [];

  function passOn({ method, path, search, headers, body }: StoreRequest): Promise<StoreResponse> {
    return new Promise((resolve, reject) => {
      const { connection: _, ...rest } = headers;
      const passed = httpRequest({ hostname, port, method, path: `${path}${search}`, headers: rest, agent: false });
      passed.on("error", reject);
      passed.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          // Not those of the connection between proxy and store.
          const kept = Object.entries(response.headers).filter(
            ([name]) => !/^(connection|transfer-encoding)$/.test(name),
          );
          const headers = kept.map(([name, value]) => [name, String(value)] as const);
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(headers),
            body: Buffer.concat(chunks),
          });
        });
      });
      // Cut off: the store waits for the rest until the connection closes.
      if (body.length < Number(headers["content-length"] ?? 0)) passed.write(body, () => passed.destroy());
      else passed.end(body);
    });
  }

  const { url, close } = await listenForRequests(async (request, response) => {
    requests.push(await respondWithFault(faults, request, response, passOn));
  });
  return { url, faults, requests, close };
}
