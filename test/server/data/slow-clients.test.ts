/** Downloads that stand still, are slow or are given up: they cost little, and no file stays open. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../http/wire.ts";
import { openTwoGenerations } from "./two-generations.ts";

const { grades, course, at, close } = await openTwoGenerations({ courseBytes: 12_000_000 });
afterAll(close);

/** How many descriptors of the course's file this process (and so the server in it) has open. */
async function openFiles(): Promise<number> {
  const links = await Promise.all(
    (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return links.filter((target) => target.endsWith(course.path.split("/").at(-1) ?? "")).length;
}

const knowsOpenFiles = existsSync("/proc/self/fd");
if (!knowsOpenFiles) process.stdout.write("skipped: this system does not tell which files are open\n");

describe.skipIf(!knowsOpenFiles)("clients that are slow or leave", () => {
  /** Node closes a forgotten file some day, and warns of it. */
  const forgotten: string[] = [];
  const note = ({ message }: Error) => void (/garbage collection/.test(message) && forgotten.push(message));
  beforeAll(() => void process.on("warning", note));
  afterAll(() => void process.off("warning", note));

  it("a download that stands still is not read ahead; a client that hangs up leaves no open file", async () => {
    // The server may still be reading the file for its own tables.
    await expect.poll(openFiles, { timeout: 30_000 }).toBe(0);
    const before = process.memoryUsage().arrayBuffers;
    const downloads = Array.from({ length: 8 }, () => {
      const asked = request(at(course), { agent: false }, (response) => response.pause());
      asked.on("error", () => undefined);
      asked.end();
      return asked;
    });
    await expect.poll(openFiles, { timeout: 30_000 }).toBe(8);
    await sleep(300);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * course.bytes);
    // Meanwhile others are answered.
    expect((await ask(at(grades))).status).toBe(200);
    for (const asked of downloads) asked.destroy();
    await expect.poll(openFiles, { timeout: 30_000 }).toBe(0);
    expect(forgotten).toEqual([]);
  });

  it("one that reads slowly gets all of it", async () => {
    const hash = createHash("sha256");
    await new Promise<void>((resolve, reject) => {
      const asked = request(at(course), { agent: false }, async (response) => {
        try {
          let pieces = 0;
          for await (const piece of response) {
            hash.update(piece as Buffer);
            if (pieces++ % 32 === 0) await sleep(5);
          }
          resolve();
        } catch (error) {
          reject(error as Error);
        }
      });
      asked.on("error", reject);
      asked.end();
    });
    expect(hash.digest("hex")).toBe(course.sha256);
    await expect.poll(openFiles, { timeout: 30_000 }).toBe(0);
  });

  it("HEAD, 304 and 416 leave no open file either", async () => {
    await ask(at(course), { method: "HEAD" });
    await ask(at(course), { headers: { "If-None-Match": "*" } });
    await ask(at(course), { headers: { Range: `bytes=${course.bytes}-` } });
    await expect.poll(openFiles, { timeout: 30_000 }).toBe(0);
  });
});
