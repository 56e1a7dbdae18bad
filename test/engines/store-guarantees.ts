/** What a store holds to of what publishing relies on, found out by signed requests: `node --import tsx test/engines/store-guarantees.ts` prints a table. */
import { fileURLToPath } from "node:url";
import { listKeys, s3Request, type S3Target } from "../support/s3/client.ts";
import { table } from "./report.ts";
import { installStores } from "./stores.ts";

/** By guarantee: "yes", or what the store did instead. */
export type Guarantees = Readonly<Record<string, string>>;

const AT_ONCE = 100;
/** A race that goes well once may have been lucky. */
const RACES = 20;
const ABSENT = { "if-none-match": "*" };
const OTHER = '"00000000000000000000000000000000"';

export async function checkGuarantees(store: S3Target): Promise<Guarantees> {
  const put = async (key: string, body: string, headers: Record<string, string> = {}) =>
    s3Request(store, "PUT", key, { body, headers });
  const status = async (response: Promise<Response>) => {
    const { status } = await response;
    await (await response).arrayBuffer();
    return status;
  };
  const etagOf = async (key: string) => (await s3Request(store, "HEAD", key)).headers.get("etag") ?? "";
  const found: Record<string, string> = {};
  const expect = (guarantee: string, is: unknown, wanted: unknown) =>
    (found[guarantee] = JSON.stringify(is) === JSON.stringify(wanted) ? "yes" : `no: ${JSON.stringify(is)}`);

  const creates = [await status(put("create", "1", ABSENT)), await status(put("create", "2", ABSENT))];
  expect("creates once", creates, [200, 412]);
  await put("replace", "1");
  const first = await etagOf("replace");
  const replaces = [await status(put("replace", "2", { "if-match": first }))];
  replaces.push(await status(put("replace", "3", { "if-match": first })));
  expect("replaces what is known", replaces, [200, 412]);
  const missing = await status(put("missing", "1", { "if-match": OTHER }));
  found["replaces nothing that is missing"] = `${missing === 404 || missing === 412 ? "yes" : "no"}: ${missing}`;

  const race = async (key: string, headers: Record<string, string>) => {
    const statuses = Array.from({ length: AT_ONCE }, async (_, i) => status(put(key, `racer ${i}`, headers)));
    const counts = new Map<number, number>();
    for (const one of await Promise.all(statuses)) counts.set(one, (counts.get(one) ?? 0) + 1);
    return [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  };
  const isDecided = (statuses: readonly string[]) =>
    statuses.filter((one) => one.endsWith(" 200")).join() === "1 × 200";
  const created = [];
  const replaced = [];
  for (let round = 0; round < RACES; round++) {
    created.push(await race(`race-${round}`, ABSENT));
    await put(`match-${round}`, "first");
    replaced.push(await race(`match-${round}`, { "if-match": await etagOf(`match-${round}`) }));
  }
  const decided = (rounds: string[][]) => {
    const open = rounds.filter((statuses) => !isDecided(statuses));
    return `${open.length === 0 ? "yes" : "no"}: ${(open[0] ?? rounds[0] ?? []).join(", ")}`;
  };
  found[`one of ${AT_ONCE} creates`] = decided(created);
  found[`one of ${AT_ONCE} replacements`] = decided(replaced);

  const forged = { ...store, credentials: { ...store.credentials, secretAccessKey: "another" } };
  expect("refuses another key's signature", await status(s3Request(forged, "GET", "create")), 403);
  const body = s3Request(store, "PUT", "tampered", {
    body: "1",
    tamper: ({ headers }) => (headers["x-amz-content-sha256"] = "0".repeat(64)),
  });
  const tampered = await status(body);
  expect("refuses a body that is not the signed one", tampered === 400 ? 403 : tampered, 403);
  const known = { headers: { "if-none-match": await etagOf("create") } };
  expect("304 for what is known", await status(s3Request(store, "GET", "create", known)), 304);
  expect("ranges", await status(s3Request(store, "GET", "create", { headers: { range: "bytes=0-0" } })), 206);
  const keys = ["list/a b", "list/c", "list/year=2026/d", "list/z", "list/é"];
  for (const key of keys) await put(key, key);
  const listed = await listKeys(store, "list/", { "max-keys": "2" });
  expect("lists page by page", listed, { keys, pages: 3 });
  expect(
    "deletes",
    [await status(s3Request(store, "DELETE", "create")), await status(s3Request(store, "GET", "create"))],
    [204, 404],
  );
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const missing: string[] = [];
  const results: [string, Guarantees][] = [];
  for (const { name, version, start } of await installStores(say, missing)) {
    const store = await start();
    try {
      results.push([`${name} ${version}`, await checkGuarantees(store)]);
    } finally {
      await store.close();
    }
  }
  say(missing.join("\n"));
  say(guaranteesText(results));
}

export function guaranteesText(results: readonly (readonly [string, Guarantees])[]): string {
  const names = Object.keys(results[0]?.[1] ?? {});
  return table(
    ["store", ...results.map(([store]) => store)],
    names.map((name) => [name, ...results.map(([, found]) => found[name] ?? "–")]),
  );
}
