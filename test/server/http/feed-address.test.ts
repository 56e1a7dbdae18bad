/** A feed names the address that its client asked by, whoever asked before: no cache mixes up two of them. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChangeDraft, changeRow, publishChanges } from "../../support/published/published-changes.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { ask } from "./wire.ts";

const folder = await openFolder();
type Server = Awaited<ReturnType<typeof serve>>;
let servers: Record<"direct" | "trusting", Server>;

beforeAll(async () => {
  const drafts = Array.from({ length: 30 }, (_, n): ChangeDraft => changeRow({ sectionCode: String(10_000 + n) }));
  await publishChanges(folder.artifacts, [], drafts);
  const env = { ...folder.env, BASE_PATH: "/academic" };
  servers = { direct: await serve(env), trusting: await serve({ ...env, TRUST_PROXY: "1" }) };
});
afterAll(async () => {
  await Promise.all(Object.values(servers ?? {}).map((server) => server.close()));
  await folder.remove();
});

const asked = fc.record({
  server: fc.constantFrom("direct" as const, "trusting" as const),
  host: fc.constantFrom("a.example.edu", "b.example.edu:8080"),
  forwarded: fc.constantFrom(undefined, "data.example.edu", "mirror.example.edu"),
  proto: fc.constantFrom(undefined, "https", "http"),
  encoding: fc.constantFrom("identity", "gzip"),
  isBelowBase: fc.boolean(),
});

describe("a feed", () => {
  it("has the links and the entity tag of the address that it was asked by", async () => {
    const tags = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(asked, async ({ server, host, forwarded, proto, encoding, isBelowBase }) => {
        const isTrusting = server === "trusting";
        const headers = {
          Host: host,
          "Accept-Encoding": encoding,
          ...(forwarded ? { "X-Forwarded-Host": forwarded } : {}),
          ...(proto ? { "X-Forwarded-Proto": proto } : {}),
        };
        const url = `${servers[server].url}${isBelowBase ? "/academic" : ""}/v1/rest/changes?format=atom`;
        const [first, second] = [await ask(url, { headers }), await ask(url, { headers })];
        expect(second.text).toBe(first.text);
        const scheme = isTrusting && proto === "https" ? "https" : "http";
        const address = `${scheme}://${(isTrusting && forwarded) || host}/academic/`;
        const links = Array.from(first.text.matchAll(/<link [^>]*href="([^"]*)"/g), ([, href = ""]) => href);
        expect(links.length).toBeGreaterThan(30);
        expect(links.filter((href) => !href.startsWith(address))).toEqual([]);
        expect(first.headers.vary).toBe(
          `Accept-Encoding, Accept, Prefer, Host${isTrusting ? ", X-Forwarded-Host, X-Forwarded-Proto" : ""}`,
        );
        const tag = first.headers.etag as string;
        const others = [...tags].filter(([of]) => of !== address).map(([, other]) => other);
        tags.set(address, tag);
        const again = await ask(url, { headers: { ...headers, "If-None-Match": tag } });
        expect(again.status).toBe(304);
        if (others.length === 0) return;
        // Other servers have the same feed of the same address.
        const other = await ask(url, { headers: { ...headers, "If-None-Match": others.join(", ") } });
        expect([other.status, other.text]).toEqual([200, first.text]);
      }),
      { numRuns: 60 },
    );
  });
});
