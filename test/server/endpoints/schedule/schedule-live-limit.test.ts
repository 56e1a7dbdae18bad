/** The live schedule system sends more than UPSTREAM_MAX_MB: the server cuts it off. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";
import { CACHE_STATUS } from "../../../../server/response/headers.ts";

it("a live response that is over the limit once it is inflated is a 502; what is published is served", async () => {
  const folder = await openFolder();
  const sections = [sectionRow()];
  await publishRows(folder.artifacts, { sections, headings: headingsOf(sections) });
  const bomb = Buffer.concat(Array<Buffer>(100).fill(gzipSync(Buffer.alloc(10_000_000, " "))));
  let asked = 0;
  const upstream = createServer((_, response) => {
    asked++;
    response.writeHead(200, { "Content-Type": "text/xml", "Content-Encoding": "gzip" }).end(bomb);
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  const { port } = upstream.address() as AddressInfo;
  const server = await serve({
    ...folder.env,
    SCHEDULE_URL: `http://127.0.0.1:${port}/`,
    UPSTREAM_MAX_MB: "2",
    UPSTREAM_TIMEOUT_MS: "30000",
  });
  try {
    const before = process.memoryUsage().rss;
    const response = await server.get("/schedule?year=2017&quarter=Summer1&ge=GE-2");
    expect([response.status, response.headers.get("cache-control")]).toEqual([502, "no-store"]);
    const { message } = (await response.json()) as { message: string };
    expect(message).not.toMatch(/127\.0\.0\.1|UPSTREAM|MB/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
    expect(asked).toBe(1);
    const published = await server.get("/schedule?year=2024&quarter=Fall&department=dance");
    expect([published.status, published.headers.get("cache-status")]).toEqual([200, CACHE_STATUS.hit]);
  } finally {
    await server.close();
    upstream.closeAllConnections();
    upstream.close();
    await folder.remove();
  }
});
