/**
 * What proxies write of their clients, in every notation that one of them uses: the product of addresses,
 * notations, and what stands before.
 */
import type { IncomingMessage } from "node:http";
import * as fc from "fast-check";
import type { H3Event } from "h3";
import { describe, expect, it } from "vitest";
import { clientOf, installationAddress } from "../../../server/response/installation.ts";

const PEER = "10.0.0.1";
const clientBehind = (forwarded: string, trustProxy = true) =>
  clientOf(
    { socket: { remoteAddress: PEER }, headers: { "x-forwarded-for": forwarded } } as unknown as IncomingMessage,
    trustProxy,
  );

/** Spellings of an address, and whom it counts for. */
const CLIENTS = [
  [["192.0.2.7", "::ffff:192.0.2.7", "::FFFF:c000:207", "0:0:0:0:0:ffff:192.0.2.7"], "192.0.2.7"],
  [["2001:db8:1:2::9", "2001:DB8:1:2:3:4:5:6", "2001:0db8:0001:0002::192.0.2.7"], "2001:db8:1:2"],
  [["2001:db8::1", "2001:db8:0:0:0:0:0:1", "2001:db8:0000::192.0.2.8"], "2001:db8:0:0"],
  [["fe80::1%eth0", "fe80::2"], "fe80:0:0:0"],
  [["::1"], "0:0:0:0"],
] as const;
const PORTS = ["", ":1", ":5678", ":65535", ":99999", ":_hidden", ":"];
const address = fc
  .constantFrom(...CLIENTS)
  .chain(([spellings, client]) => fc.constantFrom(...spellings).map((text) => ({ text, client })));
/** The item of a header for an address. */
const item = fc
  .record({ address, port: fc.constantFrom(...PORTS), isQuoted: fc.boolean(), blank: fc.constantFrom("", " ", "\t") })
  .map(({ address: { text, client }, port, isQuoted, blank }) => {
    const isIPv6 = text.includes(":");
    const node = isIPv6 && port !== "" ? `[${text}]${port}` : `${text}${port}`;
    return { client, text: `${blank}${isQuoted ? `"${node}"` : node}${blank}` };
  });
const nobody = fc.constantFrom(
  "unknown",
  "_hidden",
  '"_SEVKISEK"',
  "unknown:80",
  "192.0.2",
  "[::1",
  "a.example",
  '"',
  "[]",
);
const anything = fc.oneof(
  nobody,
  item.map(({ text }) => text),
  fc.constant(""),
  fc.string({ unit: "grapheme-ascii" }),
);
const forgedItems = fc.array(anything, { maxLength: 3 }).map((items) => items.map((text) => `${text},`).join(""));
const empty = fc.constantFrom("", ",", " , ,");

describe("X-Forwarded-For of a trusted proxy", () => {
  it("is the last address, without its port, whatever its notation and whatever clients write before it", () => {
    fc.assert(
      fc.property(forgedItems, item, empty, (forged, { text, client }, after) => {
        expect(clientBehind(`${forged}${text}${after}`)).toBe(client);
        expect(clientBehind(`${forged}${text}${after}`, false)).toBe(PEER);
      }),
      { numRuns: 1000 },
    );
  });

  it("is the proxy where it says nobody", () => {
    fc.assert(
      fc.property(forgedItems, nobody, empty, (forged, text, after) => {
        expect(clientBehind(`${forged}${text}${after}`)).toBe(PEER);
      }),
    );
    for (const nothing of ["", ",", " , ,, "]) expect(clientBehind(nothing)).toBe(PEER);
  });

  it("a bracketed IPv6 address is the same client with and without brackets", () => {
    expect(clientBehind("[2001:db8:1:2::5]")).toBe(clientBehind("2001:db8:1:2::5"));
  });
});

const serverFor = (headers: Record<string, string>, trustProxy = true) =>
  installationAddress(
    {
      req: { headers: new Headers(headers) },
      url: new URL("http://host.example:3000/v1/openapi.json"),
    } as unknown as H3Event,
    { base: "/academic/", trustProxy },
  );
const HOST = "http://host.example:3000/academic/";

/** As a proxy writes it, and as it stands in an address. */
const VALID = [
  ["data.example.edu", "data.example.edu"],
  ["DATA.example.edu:8443", "DATA.example.edu:8443"],
  ["data.example.edu.", "data.example.edu"],
  ["data.example.edu.:81", "data.example.edu:81"],
  ["data.example.edu:", "data.example.edu"],
  ["a_b.example:65535", "a_b.example:65535"],
  ["192.0.2.7:80", "192.0.2.7:80"],
  ["[2001:db8::1]", "[2001:db8::1]"],
  ["[2001:db8::1]:80", "[2001:db8::1]:80"],
] as const;
const INVALID = [
  ...["data.example.edu:65536", "data.example.edu:0", "data.example.edu:http", "a:1:2", ":80", "2001:db8::1"],
  ...["user@data.example.edu", "user:pw@data.example.edu", "data example.edu", "a..b", ".", "..", ".example.edu"],
  ...[
    "a/b",
    "https://a.example",
    "a?b",
    "a#b",
    "[::1",
    "[example]",
    "[1.2.3.4]",
    '"a"',
    "<script>",
    "a\\b",
    "%41",
    "a.1",
    "1.2.3.256",
    "xn--a",
  ],
  ...["x".repeat(64), `${"x.".repeat(130)}edu`, "bücher.example".normalize("NFC").replace("ü", "%C3%BC")],
];
const badHost = fc.constantFrom("", " ", ...INVALID);
const goodHost = fc.constantFrom(...VALID);

describe("X-Forwarded-Host and -Proto of a trusted proxy", () => {
  it("are the last valid host, else the Host; the last scheme of HTTP, else http", () => {
    const hosts = fc.array(
      fc.oneof(
        badHost.map((text) => [text, undefined] as const),
        goodHost,
      ),
      { maxLength: 4 },
    );
    const schemes = fc.array(fc.constantFrom("http", "https", "HTTPS", "", "ftp", "ws", "https://", '"https"', "on"), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(hosts, schemes, fc.constantFrom(",", ", ", " , "), (named, spoken, comma) => {
        const headers = {
          "x-forwarded-host": named.map(([text]) => text).join(comma),
          "x-forwarded-proto": spoken.join(comma),
        };
        const host = named.findLast(([, valid]) => valid !== undefined)?.[1] ?? "host.example:3000";
        const scheme = spoken.map((one) => one.toLowerCase()).findLast((one) => /^https?$/.test(one)) ?? "http";
        expect(serverFor(headers)).toBe(`${scheme}://${host}/academic/`);
        expect(serverFor(headers, false)).toBe(HOST);
      }),
      { numRuns: 1000 },
    );
  });

  it("make an address that can be parsed, from whatever stands there", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        const headers = { "x-forwarded-host": text.replace(/[^\x20-\x7e]/g, ""), "x-forwarded-proto": "https" };
        const { username, search, hash, pathname } = new URL(serverFor(headers));
        expect([username, search, hash, pathname]).toEqual(["", "", "", "/academic/"]);
      }),
    );
  });
});
