/** Requests that parts of a view share while they run, and not longer: "Try again" asks again. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { fetchShared } from "../../../../server/site/app/data/fetch-json.ts";

test("concurrent requests are one; after a failure or an answer the next one is sent", async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.writeHead(asked === 1 ? 503 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(asked === 1 ? { message: "Busy." } : { asked }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const failed = await Promise.allSettled([fetchShared(address), fetchShared(address)]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await Promise.all([fetchShared(address), fetchShared(address)])).toEqual([{ asked: 2 }, { asked: 2 }]);
    expect(await fetchShared(address)).toEqual({ asked: 3 });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
