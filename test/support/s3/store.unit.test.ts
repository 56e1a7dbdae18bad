/** The S3 store that the tests use answers as Amazon S3 documents it. */
import { afterEach, describe, expect, it } from "vitest";
import { listKeys, type RequestOptions, s3Request } from "./client.ts";
import { type FaultProxy, openFaultProxy } from "./fault-proxy.ts";
import { drawnFaults, type Fault, nextFault } from "./faults.ts";
import { storedObject } from "./objects.ts";
import { signatureOf } from "./signature.ts";
import { openS3Store, type S3Store, type S3StoreOptions } from "./store.ts";

let store: S3Store | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});
const open = async (options: S3StoreOptions = {}) => (store = await openS3Store(options));
const put = (to: S3Store, key: string, body: string, headers: Record<string, string> = {}) =>
  s3Request(to, "PUT", key, { body, headers });
const codeOf = async (response: Response) => /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];
const ABSENT = { "if-none-match": "*" };

describe("signatures", () => {
  // The examples of "Authenticating Requests: Using the Authorization Header" in Amazon S3's API reference.
  const host = "examplebucket.s3.amazonaws.com";
  const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const common = { host, "x-amz-date": "20130524T000000Z", "x-amz-content-sha256": EMPTY };
  const file = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
  it.each([
    [
      "GET",
      "/test.txt",
      "",
      { ...common, range: "bytes=0-9" },
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "PUT",
      "/test%24file.text",
      "",
      {
        ...common,
        date: "Fri, 24 May 2013 00:00:00 GMT",
        "x-amz-content-sha256": file,
        "x-amz-storage-class": "REDUCED_REDUNDANCY",
      },
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
    ["GET", "/", "lifecycle", common, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
    ["GET", "/", "max-keys=2&prefix=J", common, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
  ])("%s %s?%s", (method, path, query, headers, signature) => {
    const request = { method, path, search: `?${query}`, headers };
    const secretAccessKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey, region: "us-east-1" };
    expect(signatureOf(request, Object.keys(headers).sort(), credentials)).toBe(signature);
  });

  const tampered: [string, number, NonNullable<RequestOptions["tamper"]>][] = [
    ["SignatureDoesNotMatch", 403, ({ headers }) => (headers["if-none-match"] = "other")],
    ["SignatureDoesNotMatch", 403, ({ headers }) => (headers["x-amz-content-sha256"] = "UNSIGNED-PAYLOAD")],
    ["AccessDenied", 403, ({ headers }) => (headers["x-amz-meta-more"] = "1")],
    ["AccessDenied", 403, ({ headers }) => delete headers["authorization"]],
    ["RequestTimeTooSkewed", 403, ({ headers }) => (headers["x-amz-date"] = `${headers["x-amz-date"]?.slice(0, 8)}`)],
    ["InvalidToken", 400, ({ headers }) => (headers["x-amz-security-token"] = "other")],
  ];
  it.each(tampered)("%s (%i)", async (code, status, tamper) => {
    const to = await open({ credentials: { sessionToken: "a/session+token==" } });
    expect((await put(to, "a", "1")).status).toBe(200);
    const response = await s3Request(to, "PUT", "a", { body: "2", headers: ABSENT, tamper });
    expect([await codeOf(response), response.status]).toEqual([code, status]);
  });

  it("the clock and the region count", async () => {
    const to = await open({ now: () => new Date(Date.now() + 16 * 60_000) });
    expect(await codeOf(await put(to, "a", "1"))).toBe("RequestTimeTooSkewed");
    const other = { ...to, credentials: { ...to.credentials, region: "us-east-1" } };
    expect(await codeOf(await put(other, "a", "1"))).toBe("AuthorizationHeaderMalformed");
  });
});

describe("objects", () => {
  const key = "a b/ü+=&'(1)*/2026-Fall.parquet";

  it("are written, read, listed and deleted", async () => {
    const to = await open();
    const { headers, status } = await put(to, key, "content", { "content-type": "text/plain" });
    expect([status, headers.get("etag")]).toEqual([200, '"9a0364b9e99bb480dd25e1f0284c8555"']);
    const got = await s3Request(to, "GET", key);
    expect([got.status, got.headers.get("content-type"), await got.text()]).toEqual([200, "text/plain", "content"]);
    expect(Date.parse(got.headers.get("last-modified") ?? "")).toBeGreaterThan(0);
    const head = await s3Request(to, "HEAD", key);
    expect([head.headers.get("content-length"), await head.text()]).toEqual(["7", ""]);
    expect((await s3Request(to, "DELETE", key)).status).toBe(204);
    expect((await s3Request(to, "DELETE", key)).status).toBe(204);
    const gone = await s3Request(to, "GET", key);
    expect([gone.status, await codeOf(gone)]).toEqual([404, "NoSuchKey"]);
    expect((await s3Request({ ...to, bucket: "other" }, "GET", key)).status).toBe(404);
    expect(to.requests.map(({ method, status }) => [method, status]).slice(-2)).toEqual([
      ["GET", 404],
      ["GET", 404],
    ]);
  });

  it("conditions of reads", async () => {
    const to = await open();
    const etag = (await put(to, "a", "content")).headers.get("etag") ?? "";
    const get = async (headers: Record<string, string>) => {
      const response = await s3Request(to, "GET", "a", { headers });
      return [response.status, await response.text(), response.headers.get("content-range")];
    };
    expect(await get({ "if-none-match": etag })).toEqual([304, "", null]);
    expect(await get({ "if-none-match": '"other"' })).toEqual([200, "content", null]);
    expect((await get({ "if-match": '"other"' }))[0]).toBe(412);
    expect(await get({ range: "bytes=2-4" })).toEqual([206, "nte", "bytes 2-4/7"]);
    expect(await get({ range: "bytes=5-" })).toEqual([206, "nt", "bytes 5-6/7"]);
    expect(await get({ range: "bytes=-3" })).toEqual([206, "ent", "bytes 4-6/7"]);
    expect((await get({ range: "bytes=7-" }))[0]).toBe(416);
  });

  it("conditions of writes", async () => {
    const to = await open();
    expect((await put(to, "a", "1", ABSENT)).status).toBe(200);
    const there = await put(to, "a", "2", ABSENT);
    expect([there.status, await codeOf(there)]).toEqual([412, "PreconditionFailed"]);
    const etag = (await s3Request(to, "HEAD", "a")).headers.get("etag") ?? "";
    expect((await put(to, "a", "3", { "if-match": etag })).status).toBe(200);
    expect((await put(to, "a", "4", { "if-match": etag })).status).toBe(412);
    const missing = await put(to, "b", "1", { "if-match": etag });
    expect([missing.status, await codeOf(missing)]).toEqual([404, "NoSuchKey"]);
    expect((await put(to, "a", "5", { "if-none-match": etag })).status).toBe(501);
    expect(to.objects().get("a")?.body.toString()).toBe("3");
  });

  it.each([
    ["creates", ABSENT],
    ["replacements", { "if-match": storedObject(Buffer.from("first")).etag }],
  ])("one of a hundred %s at once wins", async (_, headers) => {
    const to = await open();
    if ("if-match" in headers) to.objects().set("a", storedObject(Buffer.from("first")));
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => (await put(to, "a", String(i), headers)).status),
    );
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 99 }, () => 412)]);
  });

  it.each([
    ["if-none-match", ABSENT],
    ["if-match", { "if-match": '"other"' }],
  ] as const)("a store without %s overwrites", async (lacked, headers) => {
    const to = await open({ lacks: [lacked] });
    await put(to, "a", "1");
    expect((await put(to, "a", "2", headers)).status).toBe(200);
  });

  it("lists page by page, in the order of bytes", async () => {
    const to = await open({ maxKeys: 3 });
    const keys = ["p/a", "p/b/1", "p/b/2", "p/é", "p/z", "p/ü/1", "p/😀", "p/\uff5e"];
    for (const key of [...keys, "q"].toReversed()) to.objects().set(key, storedObject(Buffer.from(key)));
    const inOrder = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await listKeys(to, "p/")).toEqual({ keys: inOrder, pages: 3 });
    expect((await listKeys(to, "p/", { "max-keys": "1" })).pages).toBe(8);
    expect((await listKeys(to, "p/", { delimiter: "/" })).keys).toEqual(inOrder.filter((key) => !/\d$/.test(key)));
  });
});

describe("faults", () => {
  const attempt = async (to: S3Store, method: string, body?: string) =>
    s3Request(to, method, "a", body === undefined ? {} : { body })
      .then(async (response) => [response.status, await response.text()] as const)
      .catch(() => "no response");
  let proxy: FaultProxy | undefined;
  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
  });
  const faulty = async (isProxied: boolean, fault: Fault, method = "PUT") => {
    const to = await open();
    to.objects().set("a", storedObject(Buffer.from("before")));
    if (isProxied) proxy = await openFaultProxy(to.url);
    const { faults, requests, url } = proxy ?? to;
    faults.push(nextFault(method, /^a$/, fault));
    const result = await attempt({ ...to, url }, method, method === "PUT" ? "after" : undefined);
    expect(requests.at(-1)?.fault).toBe(fault.kind);
    expect(await attempt({ ...to, url }, "HEAD")).toEqual([200, ""]);
    return [result, to.objects().get("a")?.body.toString()];
  };

  describe.each([
    ["in the store", false],
    ["in a proxy", true],
  ])("%s", (_, isProxied) => {
    it.each([
      ["lost-request", "before"],
      ["lost-response", "after"],
      ["cut-request", "before"],
    ] as const)("%s: the object is as %s", async (kind, content) => {
      expect(await faulty(isProxied, { kind })).toEqual(["no response", content]);
    });

    it.each([
      ["conflict", 409],
      ["slow-down", 503],
      ["internal-error", 500],
    ] as const)("%s is a %i", async (kind, status) => {
      expect(await faulty(isProxied, { kind })).toMatchObject([[status, expect.stringContaining("<Code>")], "before"]);
    });

    it.each(["late-request", "late-response"] as const)("%s", async (kind) => {
      expect(await faulty(isProxied, { kind, ms: 5 })).toEqual([[200, ""], "after"]);
    });

    it("cut-response", async () => {
      expect(await faulty(isProxied, { kind: "cut-response" }, "GET")).toEqual(["no response", "before"]);
    });
  });

  it("a request that comes late happens although its client has given up", async () => {
    const to = await open();
    const client = new AbortController();
    to.faults.push(() => {
      // It gives up once the store has heard of it.
      setTimeout(() => client.abort(), 1);
      return { kind: "late-request", ms: 200 };
    });
    await expect(s3Request(to, "PUT", "a", { body: "late", signal: client.signal })).rejects.toThrow();
    expect(to.objects().size).toBe(0);
    await expect.poll(() => to.objects().get("a")?.body.toString()).toBe("late");
  });

  it("drawn faults are the same for a seed, and as many as asked for", () => {
    const draw = (seed: number) => {
      const hook = drawnFaults(seed, 0.2);
      return Array.from({ length: 1000 }, (_, i) => hook({ method: "PUT", key: `${i % 100}` })?.kind);
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const some = draw(1).filter((kind) => kind !== undefined);
    expect(some.length).toBeGreaterThan(150);
    expect(some.length).toBeLessThan(250);
    expect(new Set(some).size).toBe(9);
  });
});
