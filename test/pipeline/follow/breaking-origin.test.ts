/** An origin that breaks or lies changes nothing of what is served. */
import { mkdtempSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import { openFollower } from "../../../pipeline/follow.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { followOrigin } from "./followed-origin.ts";
import type { Fault } from "./way.ts";

const { way, artifacts, follower, originManifest, publishAtOrigin, follow, copied, files } = followOrigin();

describe("an origin that breaks or lies", () => {
  /** A folder into which the snapshot before was copied, and what is new at the origin. */
  let seed: string;
  let id: string;
  beforeAll(async () => {
    seed = mkdtempSync(join(tmpdir(), "followed-"));
    const first = openFollower({
      url: new URL(way().url),
      artifactsDir: seed,
      everyMs: 3_600_000,
      log: silentLog,
    });
    await first.poll();
    await first.close();
    id = await publishAtOrigin(100);
  });
  afterAll(() => rmSync(seed, { recursive: true, force: true }));

  /** Answers the manifest with what `change` makes of it. */
  const lying =
    (change: (manifest: BulkManifest) => unknown): Fault =>
    (request, response, body) => {
      if (!request.url?.endsWith("manifest.json") || body.length === 0) return false;
      response.writeHead(200).end(JSON.stringify(change(JSON.parse(body.toString()) as BulkManifest)));
      return true;
    };
  const inFile =
    (answer: (response: ServerResponse, body: Buffer) => unknown): Fault =>
    (request, response, body) => {
      if (!request.url?.endsWith(".parquet")) return false;
      answer(response, body);
      return true;
    };
  /** A manifest whose grades are changed, with an id that fits nevertheless. */
  const withFiles = (change: (file: BulkManifest["tables"][string]["files"][number]) => object) =>
    lying((manifest) => {
      const grades = manifest.tables["grades"];
      return {
        ...manifest,
        tables: {
          ...manifest.tables,
          grades: { ...grades, files: grades?.files.map((file) => ({ ...file, ...change(file) })) },
        },
      };
    });

  const FAULTS: [string, Fault, RegExp][] = [
    ["a manifest that fails", (_request, response) => !response.writeHead(500).end().closed, /returned status 500/],
    ["a manifest that is no JSON", (_r, response) => !response.writeHead(200).end("<html>").closed, /is no JSON/],
    ["a manifest without its tables", lying((manifest) => ({ ...manifest, tables: undefined })), /damaged at tables/],
    ["another contract version", lying((manifest) => ({ ...manifest, contract: 99 })), /contract version 99/],
    ["an id that is not that of the files", lying((manifest) => ({ ...manifest, id: "0".repeat(16) })), /snapshot id/],
    ["a file outside of its place", withFiles(() => ({ path: "../../../escaped.parquet" })), /has an invalid path/],
    ["a file of no year", withFiles(() => ({ partition: { year: "../../.." } })), /has an invalid path/],
    ["other rows than announced", withFiles(({ rows }) => ({ rows: rows + 1 })), /does not have \d+ rows/],
    ["a generation that vanished", inFile((response) => response.writeHead(404).end()), /returned status 404/],
    ["a file that is another", inFile((response, body) => response.end(Buffer.alloc(body.length))), /has another hash/],
    ["a file that is longer", inFile((response, body) => response.end(Buffer.concat([body, body]))), /longer than/],
    ["a file that is shorter", inFile((response, body) => response.end(body.subarray(0, 99))), /is truncated/],
    [
      "a connection that breaks",
      inFile((response, body) => {
        response.writeHead(200, { "Content-Length": body.length }).write(body.subarray(0, 99));
        setTimeout(() => response.destroy(), 20);
      }),
      /could not be fetched/,
    ],
  ];

  it.each(FAULTS)(
    "%s: what is published stays, the problem is told, and it goes on afterwards",
    async (_what, fault, problem) => {
      await cp(seed, artifacts(), { recursive: true, verbatimSymlinks: true });
      const before = await copied();
      expect(before?.id).not.toBe(id);
      way().breakBy(fault);
      await follower().poll();
      expect(follower().state().problem).toMatch(problem);
      expect(await copied()).toEqual(before);
      way().breakBy(undefined);
      await follower().poll();
      expect([follower().state().problem, (await copied())?.id]).toEqual([null, id]);
    },
  );

  it("one that falls silent is given up", async () => {
    const impatient = follow(way().url, 100);
    way().breakBy(inFile((response, body) => response.writeHead(200).write(body.subarray(0, 9))));
    await impatient.poll();
    expect(impatient.state().problem).toMatch(/timed out/);
    expect(await copied()).toBeUndefined();
    await impatient.close();
  });

  it("a download that was cut off goes on where it ended", async () => {
    way().breakBy(inFile((response, body) => response.end(body.subarray(0, 99))));
    await follower().poll();
    way().breakBy(undefined);
    way().asked.length = 0;
    await follower().poll();
    expect([follower().state().problem, (await copied())?.id]).toEqual([null, (await originManifest()).id]);
    expect(files()[0]).toMatchObject({ range: "bytes=99-", status: 206 });
  });
});
