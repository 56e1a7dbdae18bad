/**
 * Tests whether a store keeps the guarantees that publishing relies on, by signed requests that share no code with the
 * product.
 */
import { listKeys, type RequestOptions, s3Request, type S3Target } from "../support/s3/client.ts";
import { openFaultProxy } from "../support/s3/fault-proxy.ts";
import { nextFault } from "../support/s3/faults.ts";

/** By guarantee: "yes" or "no", and the store's behaviour. */
export type Guarantees = Readonly<Record<string, string>>;

const AT_ONCE = 100;
/** A race that goes well once may have been lucky. */
const RACES = 20;
const ABSENT = { "if-none-match": "*" };
const OTHER_ETAG = '"00000000000000000000000000000000"';

export async function checkGuarantees(store: S3Target): Promise<Guarantees> {
  return {
    ...(await checkWrites(store)),
    ...(await checkRaces(store)),
    ...(await checkSignatures(store)),
    ...(await checkReads(store)),
  };
}

async function statusOf(store: S3Target, method: string, key: string, options?: RequestOptions): Promise<number> {
  const response = await s3Request(store, method, key, options);
  await response.arrayBuffer();
  return response.status;
}

const put = (store: S3Target, key: string, body: string, headers: Record<string, string> = {}) =>
  statusOf(store, "PUT", key, { body, headers });
const etagOf = async (store: S3Target, key: string) => (await s3Request(store, "HEAD", key)).headers.get("etag") ?? "";
const answer = (isGiven: boolean, observed: unknown) => `${isGiven ? "yes" : "no"}: ${String(observed)}`;

async function checkWrites(store: S3Target): Promise<Guarantees> {
  const creates = [await put(store, "create", "1", ABSENT), await put(store, "create", "2", ABSENT)];
  await put(store, "replace", "1");
  const match = { "if-match": await etagOf(store, "replace") };
  const replaces = [await put(store, "replace", "2", match), await put(store, "replace", "3", match)];
  const missing = await put(store, "missing", "1", { "if-match": OTHER_ETAG });
  const proxy = await openFaultProxy(store.url);
  proxy.faults.push(nextFault("PUT", /^replace$/, { kind: "cut-request" }));
  await put({ ...store, url: proxy.url }, "replace", "cut off").catch(() => undefined);
  await proxy.close();
  const left = await (await s3Request(store, "GET", "replace")).text();
  return {
    "creates once": answer(creates.join() === "200,412", creates),
    "replaces what was read": answer(replaces.join() === "200,412", replaces),
    "replaces nothing where there is nothing": answer(missing === 404 || missing === 412, missing),
    "writes nothing of a request that was cut off": left === "2" ? "yes" : "no",
  };
}

async function checkRaces(store: S3Target): Promise<Guarantees> {
  const race = async (key: string, headers: Record<string, string>) => {
    const racers = Array.from({ length: AT_ONCE }, (_, i) => put(store, key, `racer ${i}`, headers));
    const statuses = await Promise.all(racers);
    return [...new Set(statuses)]
      .sort()
      .map((status) => `${statuses.filter((other) => other === status).length} × ${status}`);
  };
  const create: string[][] = [];
  const replace: string[][] = [];
  for (let i = 0; i < RACES; i++) {
    create.push(await race(`create-${i}`, ABSENT));
    await put(store, `replace-${i}`, "first");
    replace.push(await race(`replace-${i}`, { "if-match": await etagOf(store, `replace-${i}`) }));
  }
  const decided = (races: string[][]) => {
    const lost = races.filter((statuses) => !statuses.includes("1 × 200"));
    return lost.length === 0
      ? answer(true, races[0]?.join(", "))
      : answer(false, `${lost[0]?.join(", ")} in ${lost.length} of ${RACES} races`);
  };
  return {
    [`one of ${AT_ONCE} creates wins`]: decided(create),
    [`one of ${AT_ONCE} replacements wins`]: decided(replace),
  };
}

async function checkSignatures(store: S3Target): Promise<Guarantees> {
  const forged = { ...store, credentials: { ...store.credentials, secretAccessKey: "another" } };
  const unknown = await statusOf(forged, "GET", "create");
  const tamper: RequestOptions["tamper"] = ({ headers }) => (headers["x-amz-content-sha256"] = "0".repeat(64));
  const tampered = await statusOf(store, "PUT", "tampered", { body: "1", tamper });
  return {
    "checks signatures": answer(unknown === 403, unknown),
    "checks the body's hash": answer(tampered === 400 || tampered === 403, tampered),
  };
}

async function checkReads(store: S3Target): Promise<Guarantees> {
  const get = (headers: Record<string, string>) => statusOf(store, "GET", "create", { headers });
  const unchanged = await get({ "if-none-match": await etagOf(store, "create") });
  const part = await get({ range: "bytes=0-0" });
  const keys = ["list/a b", "list/c", "list/year=2026/d", "list/z", "list/é"];
  for (const key of keys) await put(store, key, key);
  const listed = await listKeys(store, "list/", { "max-keys": "2" });
  const gone = [await statusOf(store, "DELETE", "create"), await get({})];
  return {
    "304 for what is known": answer(unchanged === 304, unchanged),
    ranges: answer(part === 206, part),
    "lists page by page, in the order of bytes": answer(
      listed.keys.join() === keys.join() && listed.pages === 3,
      `${listed.keys.length} keys on ${listed.pages} pages`,
    ),
    deletes: answer(gone.join() === "204,404", gone),
  };
}
