/** How the OpenAPI document is served: at which addresses, in which encodings, with which tags. */
import { afterAll, expect, it } from "vitest";
import { toDocument } from "../../../server/docs/pages.ts";
import { plain as plainMode } from "../../../server/modes.ts";
import type { OpenApiDocument } from "../../support/documented.ts";
import { openSurface } from "../http/surface-server.ts";
import { ask } from "../http/wire.ts";

const surface = await openSurface();
afterAll(surface.close);

it("stands under its older name too: the same bytes, the same tag", async () => {
  const [one, other] = await Promise.all(["/v1", ""].map((before) => ask(`${surface.url}${before}/openapi.json`)));
  expect(other?.status).toBe(200);
  const { servers, ...rest } = other?.json<{ servers: { url: string }[] }>() ?? {};
  expect(servers?.map((server) => server.url)).toEqual([surface.url]);
  const { servers: _servers, ...document } = toDocument(plainMode);
  expect(rest).toEqual(document);
  expect(other?.raw.equals(one?.raw ?? Buffer.alloc(0))).toBe(true);
  expect(other?.headers["etag"]).toBe(one?.headers["etag"]);
});

it("names the address that a proxy was asked by, if the proxy is trusted", async () => {
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "data.example.edu" };
  const behind = await openSurface({ TRUST_PROXY: "1", BASE_PATH: "/academic" });
  const namedBy = async (url: string) =>
    (await ask(`${url}/v1/openapi.json`, { headers })).json<{ servers: { url: string }[] }>().servers[0]?.url;
  expect(await namedBy(behind.url)).toBe("https://data.example.edu/academic");
  expect(await namedBy(surface.url)).toBe(surface.url);
  await behind.close();
});

it("has a tag for each encoding, 304 and HEAD", async () => {
  const url = `${surface.url}/v1/openapi.json`;
  const plain = await ask(url);
  expect(plain.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "public, max-age=300",
    "access-control-allow-origin": "*",
  });
  const tags = new Set([plain.headers["etag"]]);
  for (const encoding of ["br", "gzip"]) {
    const packed = await ask(url, { headers: { "accept-encoding": encoding } });
    expect(packed.headers["content-encoding"]).toBe(encoding);
    expect(packed.text).toBe(plain.text);
    expect(packed.raw.length).toBeLessThan(plain.raw.length / 5);
    tags.add(packed.headers["etag"]);
    const known = { "accept-encoding": encoding, "if-none-match": String(packed.headers["etag"]) };
    const again = await ask(url, { headers: known });
    expect([again.status, again.raw.length, again.headers["etag"]]).toEqual([304, 0, packed.headers["etag"]]);
    const head = await ask(url, { method: "HEAD", headers: { "accept-encoding": encoding } });
    expect([head.status, head.raw.length]).toEqual([200, 0]);
    expect(Number(head.headers["content-length"])).toBe(packed.raw.length);
  }
  expect(tags.size).toBe(3);
  expect((await ask(url, { headers: { "if-none-match": "*" } })).status).toBe(304);
  expect((await ask(url, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  expect((await ask(url, { method: "POST" })).status).toBe(405);
});

it("has the message of an unknown id as its example", async () => {
  const { paths } = toDocument(plainMode) as unknown as OpenApiDocument;
  for (const path of Object.keys(paths).filter((one) => one.startsWith("/v1/rest/") && one.endsWith("/{id}"))) {
    const { content } = paths[path]?.get.responses["404"] ?? {};
    const answer = await ask(surface.url + path.replace("{id}", "nobody"));
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      message: (content?.["application/json"] as { example?: { message: string } } | undefined)?.example?.message,
    });
  }
});
