/** Which Host headers a request may have: sent as they are, because clients do not let them pass. */
import { afterAll, describe, expect, it } from "vitest";
import { openSurface } from "./surface-server.ts";
import { parseRaw, sendRaw } from "./wire.ts";

const [plain, compat] = [await openSurface(), await openSurface({ COMPAT: "1" })];
afterAll(() => Promise.all([plain.close(), compat.close()]));

const request = (hosts: readonly string[], version = "1.1", path = "/v1/rest/week") =>
  `GET ${path} HTTP/${version}\r\n${hosts.map((host) => `Host:${host}\r\n`).join("")}Connection: close\r\n\r\n`;

describe("400, in the shape of all errors", () => {
  it.each<[what: string, hosts: readonly string[], words: RegExp]>([
    ["none", [], /no Host header/],
    ["an empty one", [""], /no Host header/],
    ["one of blanks", ["   "], /no Host header/],
    ["two", [" a.example", " b.example"], /more than one Host header/],
    ["two that are equal", [" a.example", " a.example"], /more than one Host header/],
    ["a valid one, then an empty one", [" a.example", ""], /more than one Host header/],
    ["a blank inside", [" a b"], /Host header of the request is not valid/],
    ["a blank inside a name", [" exa mple"], /not valid/],
    ["a tab inside", [" exa\tmple"], /not valid/],
    ["a path", [" evil.com/path"], /not valid/],
    ["a query", [" evil.com?x"], /not valid/],
    ["a fragment", [" evil.com#x"], /not valid/],
    ["a user", [" user@evil.com"], /not valid/],
    ["a scheme", [" http://evil.com"], /not valid/],
    ["a list", [" a.example, b.example b"], /not valid/],
    ["a port that is none", [" a.example:http"], /not valid/],
    ["two ports", [" a.example:80:80"], /not valid/],
    ["a port without a name", [" :80"], /not valid/],
    ["half a percent sign", [" a%2"], /not valid/],
    ["brackets around a name", [" [example]"], /not valid/],
    ["half a bracket", [" [::1"], /not valid/],
    ["quotes", [' "a"'], /not valid/],
    ["angle brackets", [" <script>"], /not valid/],
    ["a backslash", [" a\\b"], /not valid/],
    ["bytes that are no ASCII", [" caf\xe9"], /not valid/],
  ])("%s", async (_what, hosts, words) => {
    for (const { url } of [plain, compat])
      for (const path of ["/v1/rest/week", "/", "/nothing"]) {
        const { status, headers, body } = parseRaw(await sendRaw(url, request(hosts, "1.1", path)));
        expect([status, headers.get("connection")]).toEqual([400, "close"]);
        expect(Number(headers.get("content-length"))).toBe(Buffer.byteLength(body));
        const problem = JSON.parse(body) as Record<string, unknown>;
        expect(problem).toMatchObject({
          statusCode: 400,
          error: "Bad Request",
          message: expect.stringMatching(words) as string,
          requestId: headers.get("x-request-id"),
        });
        expect(problem["success"]).toBe(url === compat.url ? false : undefined);
      }
  });

  it("also in HTTP/1.0, which needs none but may have one", async () => {
    const statusOf = async (hosts: readonly string[]) =>
      parseRaw(await sendRaw(plain.url, request(hosts, "1.0"))).status;
    expect(await Promise.all([[], [""], [" a.example"]].map(statusOf))).toEqual([200, 200, 200]);
    expect(await Promise.all([[" a b"], [" a", " b"]].map(statusOf))).toEqual([400, 400]);
  });

  it("and a request that follows it on the connection is not answered", async () => {
    const bad = "GET /v1/rest/week HTTP/1.1\r\nHost: a b\r\n\r\n";
    const text = await sendRaw(plain.url, `${bad}${request([" x"])}`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  });
});

it.each([
  "localhost",
  "localhost:3000",
  "LOCALHOST:",
  "data.example.edu.",
  "a_b-c~d",
  "127.0.0.1:80",
  "999.999.999.999",
  "1.2.3.4.5",
  "[::1]",
  "[::1]:3000",
  "[fe80::1%25eth0]:3000",
  "[:::::]",
  "xn--zzzzzz--",
  "x:99999",
  "a%20b",
  "a,b;c=d",
  "x".repeat(300),
])("200 for Host: %s, cached or not", async (host) => {
  for (const url of [plain.url, compat.url])
    for (const query of [`?x=${encodeURIComponent(host)}`, "", ""]) {
      const text = await sendRaw(url, request([` ${host}`], "1.1", `/v1/rest/courses/all${query}`));
      expect(parseRaw(text).status).toBe(200);
    }
  const paged = parseRaw(await sendRaw(plain.url, request([` ${host}`], "1.1", "/v1/rest/courses?limit=1")));
  expect([paged.status, paged.headers.get("link")]).toEqual([200, expect.stringContaining("</v1/rest/courses?")]);
});
