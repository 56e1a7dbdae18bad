/** `/courses/all` and `/instructors/all` at the size of a real university: whole, compressed, streamed, in bounded memory. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFolder, serve } from "../../support/whole-run.ts";
import { courseRow, personRow } from "../../support/worlds/catalogue-rows.ts";
import { publishRows } from "../../support/published/published.ts";
import { ask, hasZstd } from "../http/wire.ts";
import { isWhole, partOf, someOf } from "../../support/extent.ts";

const COURSES = 6000;
const PEOPLE = 2000;

/** Words that no compressor knows: the answers are as large packed as real ones are. */
const words = (n: number, count: number) =>
  Array.from({ length: count }, (_, i) => createHash("sha1").update(`${n} ${i}`).digest("base64").slice(0, 9)).join(
    " ",
  );

let folder: Awaited<ReturnType<typeof openFolder>>;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  folder = await openFolder();
  const courses = Array.from({ length: COURSES }, (_, n) =>
    courseRow({
      department: `DEPT ${String.fromCodePoint(65 + (n % 26))}`,
      courseNumber: `${Math.floor(n / 26)}`,
      title: `Course ${n} “é” 😀`,
      description: words(n, 120),
      terms: ["2024 Fall", "2023 Fall"],
    }),
  );
  const people = Array.from({ length: PEOPLE }, (_, n) =>
    personRow({
      netid: `person${n}`,
      courseHistory: Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`DANCE ${i}`, ["2024 Fall"]])),
    }),
  );
  await publishRows(folder.artifacts, { courses, instructors: people });
  server = await serve(folder.env);
});
afterAll(async () => {
  await server?.close();
  await folder?.remove();
});

const get = (path: string, encoding: string) =>
  ask(`${server.url}/v1/rest${path}`, { headers: { "accept-encoding": encoding } });

/** Kept with its table, another such, and one that is made for its filter. */
const COLLECTIONS = [
  ["/courses/all", COURSES],
  ["/courses", COURSES],
  ["/instructors/all", PEOPLE],
  ["/courses?minUnits=1", COURSES],
] as const;
const ENCODINGS = ["gzip", "br", ...(hasZstd ? ["zstd"] : [])];
const some = someOf(COLLECTIONS, 2).map(([path, count], turn) => [path, count, partOf(ENCODINGS, turn, 2)] as const);
describe.each(some)("%s", (path, count, encodings) => {
  it("is whole in every encoding, made and remembered", async () => {
    const plain = await get(path, "identity");
    expect(plain.headers).toHaveProperty("content-length");
    expect(plain.json<unknown[]>()).toHaveLength(count);
    for (const encoding of encodings) {
      for (const time of ["made", "remembered"]) {
        const packed = await get(path, encoding);
        expect([time, packed.headers["content-encoding"]]).toEqual([time, encoding]);
        expect(packed.headers).toHaveProperty("content-length");
        expect(packed.text === plain.text).toBe(true);
        expect(packed.raw.length).toBeLessThan(plain.raw.length * 0.9);
      }
    }
  });
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
/** Bytes of buffers that somebody holds. */
function heldBuffers(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** A client that asks and then does not read. */
async function wait(url: string, path: string, encoding: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  await new Promise((resolve) =>
    socket.write(`GET /v1/rest${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\n\r\n`, resolve),
  );
  return socket;
}

it.each(["", "1"])("clients that do not read hold a bounded amount of memory, COMPAT=%s", async (COMPAT) => {
  const other = COMPAT === "" ? undefined : await serve({ ...folder.env, COMPAT });
  const { url } = other ?? server;
  const before = heldBuffers();
  // Each request is another one, so that nothing is cached of it. A body has 6 MB.
  const sockets = await Promise.all(
    Array.from({ length: isWhole ? 100 : 28 }, (_, n) =>
      wait(url, `/courses?minUnits=${n / 100}`, n % 4 === 0 ? "gzip" : "identity"),
    ),
  );
  await sleep(1500);
  // 64 MB that are held for clients, and as much in the cache.
  await expect.poll(() => heldBuffers() - before, { timeout: 20_000 }).toBeLessThan(150_000_000);
  // The others wait until these clients are gone.
  for (const socket of sockets) socket.destroy();
  for (const path of ["/courses/DEPTA1", "/courses?minUnits=2.5"])
    expect((await ask(`${url}/v1/rest${path}`, { headers: { "accept-encoding": "identity" } })).status).toBe(200);
  await other?.close();
});
