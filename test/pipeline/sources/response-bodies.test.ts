/** Bodies that are too large, or not what their headers claim. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { UpstreamBadResponse, UpstreamTooLarge } from "../../../pipeline/errors.ts";
import { createClient } from "../../../pipeline/sources/client/http.ts";
import { fetchExport } from "../../../pipeline/sources/records.ts";
import { hastyClient } from "./hasty-client.ts";
import { openLocalServers } from "./local-server.ts";

const MB = 1_000_000;
const serve = openLocalServers();
const read = ({ body }: { body: Buffer }) => body.toString();
const smallLimit = () =>
  createClient("test", {
    ...{ concurrency: 1, pauseMs: 0, timeoutMs: 5_000, retries: 2, backoffMs: 1, backoffCapMs: 2 },
    maxBytes: MB,
  });
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe("a body over the limit", () => {
  it("is cut off while it inflates: 1.2 MB of gzip do not become 1.2 GB, and are requested once", async () => {
    const bomb = Buffer.concat(Array<Buffer>(120).fill(gzipSync(Buffer.alloc(10 * MB))));
    const { url, paths } = await serve((_, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": bomb.length }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    const failure = await failureOf(hastyClient("catalogue").request({ url }, read));
    expect(failure).toBeInstanceOf(UpstreamTooLarge);
    expect(failure).toBeInstanceOf(UpstreamBadResponse);
    expect((failure as Error).message).toBe(
      "the catalogue system sent more than 50 MB in one response (UPSTREAM_MAX_MB)",
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MB);
    expect(paths).toHaveLength(1);
  });

  it("is no longer received: the connection of an endless one is closed", async () => {
    let sent = 0;
    let closed: () => void;
    const end = new Promise<void>((resolve) => (closed = resolve));
    const { url } = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && sent < 1000 * MB) {
          sent += 100_000;
          if (!response.write(Buffer.alloc(100_000))) return;
        }
      };
      response.on("drain", more).on("close", () => closed());
      more();
    });
    expect(await failureOf(smallLimit().request({ url }, read))).toBeInstanceOf(UpstreamTooLarge);
    await end;
    expect(sent).toBeLessThan(50 * MB);
  });

  it("is not received at all when it is announced", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "Content-Length": 2 * MB });
      response.flushHeaders();
    });
    expect(await failureOf(smallLimit().request({ url }, read))).toBeInstanceOf(UpstreamTooLarge);
  });

  it("is refused in an export and in a local file as well; one of just that size is read", async () => {
    const { url } = await serve((request, response) => {
      response.end(Buffer.alloc(request.url === "/large.csv" ? MB + 1 : MB, "a,b\n"));
    });
    const link = (name: string) => ({ name, url: new URL(name, url) });
    expect(await failureOf(fetchExport(smallLimit(), link("large.csv")))).toBeInstanceOf(UpstreamTooLarge);
    expect(await fetchExport(smallLimit(), link("small.csv"))).toMatchObject({ name: "small.csv" });
    const folder = await mkdtemp(join(tmpdir(), "bodies-"));
    const path = join(folder, "page.html");
    await writeFile(path, Buffer.alloc(MB + 1));
    expect(await failureOf(smallLimit().request({ url: pathToFileURL(path) }, read))).toBeInstanceOf(UpstreamTooLarge);
    await writeFile(path, Buffer.alloc(MB));
    expect(await smallLimit().request({ url: pathToFileURL(path) }, read)).toHaveLength(MB);
    await rm(folder, { recursive: true });
  });
});

describe("a body that is not what its headers claim", () => {
  const page = Buffer.from("<p>hello</p>".repeat(2_000));
  const zipped = gzipSync(page);
  const wrongAt = (fromEnd: number) => {
    const bytes = Buffer.from(zipped);
    bytes.writeUInt8((bytes.at(-fromEnd) ?? 0) ^ 1, bytes.length - fromEnd);
    return bytes;
  };

  it.each([
    ["a wrong checksum", "gzip", wrongAt(8)],
    ["another length than was zipped", "gzip", wrongAt(1)],
    ["an end before its checksum", "gzip", zipped.subarray(0, -8)],
    ["an end in the middle", "gzip", zipped.subarray(0, zipped.length >> 1)],
    ["no gzip at all", "gzip", page],
    ["brotli that ends in the middle", "br", brotliCompressSync(page).subarray(0, -4)],
    ["gzip in gzip, whose layers multiply", "gzip, gzip", gzipSync(zipped)],
    ["an encoding that nobody asked for", "compress", page],
  ])("%s is a bad response", async (_, encoding, bytes) => {
    const { url, paths } = await serve((_request, response) => {
      response.writeHead(200, { "Content-Encoding": encoding, "Content-Length": bytes.length }).end(bytes);
    });
    expect(await failureOf(hastyClient("test").request({ url }, read))).toBeInstanceOf(UpstreamBadResponse);
    expect(paths).toHaveLength(3);
  });

  it.each([
    ["ends before", 5],
    ["goes on after", -5],
  ])("one that %s its Content-Length is a bad response", async (_, more) => {
    const { url } = await serve(({ socket }) => {
      // Written to the socket: Node refuses a body that differs from its Content-Length.
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${page.length + more}\r\n\r\n${page.toString()}`);
    });
    expect(await failureOf(hastyClient("test").request({ url }, read))).toBeInstanceOf(UpstreamBadResponse);
  });

  it("none at all is read where the status has none, whatever encoding is named", async () => {
    const { url } = await serve((_, response) => void response.writeHead(304, { "Content-Encoding": "gzip" }).end());
    expect(await hastyClient("test").request({ url, accept: [304] }, read)).toBe("");
  });

  it.each([
    ["gzip", zipped],
    ["deflate", deflateSync(page)],
    ["br", brotliCompressSync(page)],
    ["identity", page],
  ])("what is right in %s is read", async (encoding, bytes) => {
    const { url } = await serve((request, response) => {
      if (encoding !== "identity") expect(request.headers["accept-encoding"]).toContain(encoding);
      response.writeHead(200, { "Content-Encoding": encoding }).end(bytes);
    });
    expect(await hastyClient("test").request({ url }, read)).toBe(page.toString());
  });
});
