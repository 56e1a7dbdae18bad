/** The bucket's client, against a store with Amazon's conditions, errors and signatures. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UpstreamError, UpstreamRefused, UsageError } from "../../../pipeline/errors.ts";
import { type BucketOptions, BUCKET_OPTIONS, openBucket } from "../../../pipeline/store/bucket.ts";
import { bucketUrl, UNSIGNED } from "../../../pipeline/store/signed-fetch.ts";
import type { Store } from "../../../pipeline/store/store.ts";
import { FAULTS, nextFault } from "../../support/s3/faults.ts";
import { storedObject, type StoredObject } from "../../support/s3/objects.ts";
import { openS3Store, type S3Store, type S3StoreOptions } from "../../support/s3/store.ts";

let s3: S3Store;
let folder: string;
beforeEach(async () => {
  s3 = await openS3Store();
  folder = await mkdtemp(join(tmpdir(), "bucket-"));
});
afterEach(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

function open(of: S3Store, options: Partial<BucketOptions> = {}, prefix = "lake/campus"): Store {
  const { region, ...credentials } = of.credentials;
  const aws = { endpoint: new URL(of.url), region, credentials, pathStyle: undefined };
  return openBucket(of.bucket, prefix, aws, { ...BUCKET_OPTIONS, timeoutMs: 2_000, backoffMs: 1, ...options });
}

async function withStore<T>(options: S3StoreOptions, use: (store: S3Store) => Promise<T>): Promise<T> {
  const other = await openS3Store(options);
  try {
    return await use(other);
  } finally {
    await other.close();
  }
}

const text = (found: Awaited<ReturnType<Store["read"]>>): string | undefined =>
  typeof found === "object" ? found.content.toString() : found;
const etag = async (store: Store, key: string): Promise<string> => {
  const found = await store.read(key);
  if (typeof found !== "object" || found.etag === null) throw new Error(`${key} is not there`);
  return found.etag;
};

describe("an object", () => {
  it("is created once, replaced only as it was read, and read unless it is unchanged", async () => {
    const store = open(s3);
    expect(await store.read("a.json")).toBeUndefined();
    expect([await store.create("a.json", "1"), await store.create("a.json", "2")]).toEqual([true, false]);
    const first = await etag(store, "a.json");
    expect(await store.read("a.json", { etag: first })).toBe("unchanged");
    expect(await store.replace("a.json", "3", null)).toBe(false);
    expect(await store.replace("a.json", "3", first)).toBe(true);
    expect(await store.replace("a.json", "4", first)).toBe(false);
    expect(await store.replace("absent.json", "4", first)).toBe(false);
    expect(text(await store.read("a.json", { etag: first }))).toBe("3");
    expect([...s3.objects().keys()]).toEqual(["lake/campus/a.json"]);
    await store.remove("a.json");
    await store.remove("a.json");
    expect(await store.read("a.json")).toBeUndefined();
  });

  it.each(["a b.json", "GE+1&x=ü.json", "grades/2025-0a'(1)!*.json", "50%.json"])("may be named %s", async (key) => {
    for (const prefix of ["", "a b/ü", "l'été (1)!*"]) {
      const store = open(s3, {}, prefix);
      expect(await store.create(key, key)).toBe(true);
      expect(text(await store.read(key))).toBe(key);
      expect((await store.list("")).map((one) => one.key)).toContain(key);
      expect((await store.list(key.slice(0, 3))).map((one) => one.key)).toEqual([key]);
    }
  });

  it("of a file is uploaded with its bytes, and downloaded from where a part of it ends", async () => {
    const store = open(s3);
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
    const at = join(folder, "file");
    await writeFile(at, bytes);
    await store.addFiles([{ key: "t/x.parquet", at }]);
    await store.addFiles([{ key: "t/x.parquet", at }]);
    const part = join(folder, "part");
    await writeFile(part, bytes.subarray(0, 100_000));
    s3.requests.length = 0;
    await store.download("t/x.parquet", bytes.length, part);
    expect((await readFile(part)).equals(bytes)).toBe(true);
    expect(s3.requests.map(({ status }) => status)).toEqual([206]);
    await expect(store.download("t/x.parquet", 10, join(folder, "less"))).rejects.toThrow(/longer than expected/);
  });

  it("list: every page", () =>
    withStore({ maxKeys: 3 }, async (other) => {
      const store = open(other);
      const keys = Array.from({ length: 10 }, (_, n) => `t/${n}.json`);
      for (const key of keys) await store.create(key, key);
      await open(other, {}, "lake/campus-2").create("t/other.json", "");
      const listed = await store.list("t/");
      expect(listed.map(({ key }) => key)).toEqual(keys);
      expect(listed[0]?.bytes).toBe(8);
      expect(Math.abs((listed[0]?.modifiedMs ?? 0) - Date.now())).toBeLessThan(60_000);
    }));
});

describe("a listing", () => {
  it.each([
    ["has no page after the first", ""],
    ["has the same page again and again", "<NextContinuationToken>1</NextContinuationToken>"],
  ])("that is cut off and %s is none", async (_what, next) => {
    let pages = 0;
    const fetch = async () => {
      pages++;
      const page = `<ListBucketResult><IsTruncated>true</IsTruncated>${next}</ListBucketResult>`;
      return new Response(`<?xml version="1.0"?>${page}`);
    };
    await expect(open(s3, { fetch }).list("t/")).rejects.toThrow("cut off");
    expect(pages).toBeLessThan(3);
  });
});

describe("a write whose response is missing", () => {
  it.each(FAULTS)("%s: it is done once, and known to be", async (kind) => {
    const store = open(s3, { timeoutMs: 300 });
    s3.faults.push(nextFault("PUT", /./, { kind, ms: kind === "late-request" || kind === "late-response" ? 600 : 0 }));
    expect(await store.create("a.json", "mine")).toBe(true);
    expect(await store.create("a.json", "theirs")).toBe(false);
    s3.faults.push(nextFault("PUT", /./, { kind, ms: kind === "late-request" || kind === "late-response" ? 600 : 0 }));
    expect(await store.replace("a.json", "next", await etag(store, "a.json"))).toBe(true);
    expect(text(await store.read("a.json"))).toBe("next");
  });

  it("is not ours when another publisher's is there", async () => {
    const store = open(s3);
    s3.faults.push(({ method }) => {
      if (method !== "PUT") return undefined;
      s3.faults.length = 0;
      s3.objects().set("lake/campus/a.json", { ...s3.objects().get("lake/campus/theirs.json") } as never);
      return { kind: "lost-request" };
    });
    const faults = s3.faults.splice(0);
    await store.create("theirs.json", "theirs");
    s3.faults.push(...faults);
    expect(await store.create("a.json", "mine")).toBe(false);
    expect(text(await store.read("a.json"))).toBe("theirs");
  });

  it("ends in an error when the store stays away", async () => {
    const store = open(s3, { retries: 2 });
    s3.faults.push(() => ({ kind: "slow-down" }));
    await expect(store.create("a.json", "1")).rejects.toThrow(UpstreamRefused);
    await expect(store.read("a.json")).rejects.toThrow(UpstreamError);
    await expect(store.list("")).rejects.toThrow(UpstreamError);
    await expect(store.remove("a.json")).rejects.toThrow(UpstreamError);
    expect(s3.requests.filter(({ method }) => method === "PUT")).toHaveLength(3);
  });

  it("reading goes on after faults that pass", async () => {
    const store = open(s3);
    await store.create("a.json", "1");
    s3.faults.push(nextFault("GET", /./, { kind: "lost-request" }), nextFault("GET", /./, { kind: "slow-down" }, 2));
    expect(text(await store.read("a.json"))).toBe("1");
    expect((await store.list("")).map(({ key }) => key)).toEqual(["a.json"]);
  });
});

describe("access", () => {
  it("with temporary credentials", () =>
    withStore({ credentials: { sessionToken: "a+token/==" } }, async (other) => {
      expect(await open(other).create("a.json", "1")).toBe(true);
    }));

  it("that is refused is an error at once, without the secret", async () => {
    const wrong = { ...s3, credentials: { ...s3.credentials, secretAccessKey: "another" } };
    const refused = await open(wrong)
      .create("a.json", "1")
      .catch((error: Error) => error);
    expect(refused).toBeInstanceOf(UpstreamRefused);
    expect(String(refused)).toMatch(/writing \/a\.json returned status 403 \(SignatureDoesNotMatch\)/);
    expect(String(refused)).not.toContain("another");
    expect(s3.requests).toHaveLength(1);
  });

  it.each(["read", "create", "replace", "list", "download"] as const)(
    "to a bucket that does not exist: %s names the store's code at once",
    async (verb) => {
      const store = open({ ...s3, bucket: "another" });
      const work = {
        read: () => store.read("a.json"),
        create: () => store.create("a.json", "1"),
        replace: () => store.replace("a.json", "1", '"0123"'),
        list: () => store.list(""),
        download: () => store.download("a.parquet", 4, join(folder, "a"), new AbortController().signal),
      };
      await expect(work[verb]()).rejects.toThrow("NoSuchBucket");
      expect(s3.requests).toHaveLength(1);
    },
  );

  it.each([409, 500] as const)("below a prefix that is an object (%i) is refused by name, soon", (belowObject) =>
    withStore({ belowObject }, async (other) => {
      await open(other, {}, "").create("lake", "an object");
      await expect(open(other).create("a.json", "1")).rejects.toThrow(
        belowObject === 409 ? "InvalidObjectState" : "/lake is an object: choose another prefix",
      );
      expect(other.requests.length).toBeLessThan(6);
    }),
  );

  it.each([
    [{}, "campus", "https://campus.s3.us-east-1.amazonaws.com"],
    [{}, "campus.edu", "https://s3.us-east-1.amazonaws.com/campus.edu"],
    [{ region: "eu-west-1", pathStyle: true }, "campus", "https://s3.eu-west-1.amazonaws.com/campus"],
    [{ endpoint: new URL("http://localhost:9000/s3/") }, "campus", "http://localhost:9000/s3/campus"],
    [{ endpoint: new URL("https://store.edu"), pathStyle: false }, "campus", "https://campus.store.edu"],
  ])("%o: %s is at %s", (aws, bucket, url) => {
    expect(bucketUrl(bucket, { ...UNSIGNED, ...aws })).toBe(url);
  });
});

describe("the probe", () => {
  it("leaves nothing behind but when it passed, and is made once a day and address", async () => {
    await open(s3).probe();
    expect([...s3.objects().keys()]).toEqual(["lake/campus/probed.json"]);
    const requests = () => s3.requests.splice(0).length;
    requests();
    await open(s3).probe();
    expect(requests()).toBe(1);
    const marker = s3.objects().get("lake/campus/probed.json") as StoredObject;
    const tampered = (from: RegExp, to: string) =>
      s3.objects().set("lake/campus/probed.json", storedObject(Buffer.from(String(marker.body).replace(from, to))));
    for (const [from, to] of [
      [/"at":"\d+/, '"at":"2001'],
      [/http/, "https"],
      [/^/, "["],
    ] as const) {
      tampered(from, to);
      await open(s3).probe();
      expect(requests()).toBeGreaterThan(80);
    }
  });

  it.each([
    ["If-None-Match: * for concurrent writes", "if-none-match"],
    ["If-Match for concurrent writes", "if-match"],
  ] as const)("finds a store that lets both of two writers win: %s", (name, condition) =>
    withStore({ races: [condition] }, async (other) => {
      await expect(open(other).probe()).rejects.toThrow(`does not guarantee ${name}`);
      expect([...other.objects().keys()]).toEqual([]);
    }),
  );

  it.each([
    ["If-None-Match", "if-none-match"],
    ["If-Match", "if-match"],
  ] as const)("names the missing guarantee: %s", (name, lack) =>
    withStore({ lacks: [lack] }, async (other) => {
      await expect(open(other).probe()).rejects.toThrow(UsageError);
      await expect(open(other).probe()).rejects.toThrow(`does not guarantee ${name}`);
      expect([...other.objects().keys()]).toEqual([]);
    }),
  );

  it("asks for credentials", async () => {
    const aws = { ...UNSIGNED, endpoint: new URL(s3.url) };
    await expect(openBucket(s3.bucket, "", aws, BUCKET_OPTIONS).probe()).rejects.toThrow(/AWS_ACCESS_KEY_ID/);
  });
});
