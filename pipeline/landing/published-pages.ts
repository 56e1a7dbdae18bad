/**
 * The landing files of a term's last published crawl. A refresh links the files of a department whose page has not changed since, instead of parsing
 * the page again.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { unitMemo, type UnitMemo } from "./unit-memo.ts";

const INDEX = "pages.json";

const pageIndex = z.object({
  /** What the files were made from besides the pages: the source, the list of departments, the program. */
  made: z.string(),
  /** SHA-256 of the partitions that were published from these files. */
  published: z.record(z.string(), z.string()),
  /** By landing file. */
  units: z.record(z.string(), unitMemo),
  /** SHA-256 of every landing file: they stay on disk for days, and have no checksum of their own. */
  hashes: z.record(z.string(), z.string()),
});
type PageIndex = z.infer<typeof pageIndex>;

export interface PublishedPages {
  /** Links the files of an equal page, `name` and the one beside it, into the folder of a landing. Undefined when there is none. */
  reuse(name: string, page: string, folder: string, beside?: string): Promise<UnitMemo | undefined>;
  /** The SHA-256 of each table, when these units are what was published, to the last page. */
  publishedAs(units: ReadonlyMap<string, UnitMemo>): Readonly<Record<string, string>>;
  /** Takes a landing whose term was published in place of the last one. */
  replace(landing: string, units: ReadonlyMap<string, UnitMemo>, files: readonly PublishedFile[]): Promise<void>;
}

const NOTHING: PageIndex = { made: "", published: {}, units: {}, hashes: {} };

/** Reads the index in `folder`; where it is missing, damaged or made from something else there is nothing to reuse. */
export async function openPublishedPages(folder: string, from: string): Promise<PublishedPages> {
  const made = `${from} ${programDigest()}`;
  const read = pageIndex.safeParse(parseJson(await readFile(join(folder, INDEX), "utf8").catch(() => "")));
  const index = read.data?.made === made ? read.data : NOTHING;
  return {
    async reuse(name, page, landing, beside) {
      const memo = index.units[name];
      if (memo?.page !== page) return undefined;
      const files = beside === undefined ? [name] : [beside, name];
      try {
        for (const file of files) if ((await fileHash(join(folder, file))) !== index.hashes[file]) return undefined;
        for (const file of files) await link(join(folder, file), join(landing, file));
        return memo;
      } catch {
        // The page is parsed as if it were new.
        return undefined;
      }
    },
    publishedAs(units) {
      const filled = [...units].filter(([, { codes }]) => codes.length > 0);
      const isSame =
        filled.length === Object.keys(index.units).length &&
        filled.every(([name, { page }]) => page !== undefined && index.units[name]?.page === page);
      return isSame ? index.published : {};
    },
    async replace(landing, units, files) {
      const filled = Object.fromEntries([...units].filter(([, { codes }]) => codes.length > 0));
      const published = Object.fromEntries(files.map(({ table, sha256 }) => [table, sha256]));
      const hashes: Record<string, string> = {};
      for (const name of await readdir(landing)) hashes[name] = await fileHash(join(landing, name));
      const next: PageIndex = { made, published, units: filled, hashes };
      await writeFile(join(landing, INDEX), JSON.stringify(next));
      await rm(folder, { recursive: true, force: true });
      await mkdir(join(folder, ".."), { recursive: true });
      await rename(landing, folder);
    },
  };
}

const fileHash = async (path: string): Promise<string> =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

/** Removes the pages of all terms but these, by the names of their folders. */
export async function removeOtherPages(root: string, names: readonly string[]): Promise<void> {
  for (const name of await readdir(root).catch(() => []))
    if (!names.includes(name)) await rm(join(root, name), { recursive: true, force: true });
}

/** Where the schedule system says when it made the page: every page would differ. */
const GENERATED = /<websoc_results\b[^>]*?\sgenerated="[^"]*"/;
const HEAD_BYTES = 1000;

export function pageDigest(body: Buffer): string {
  const head = body.subarray(0, HEAD_BYTES).toString("latin1");
  const generated = GENERATED.exec(head);
  const from = generated ? generated.index + generated[0].length : 0;
  return createHash("sha256")
    .update(head.slice(0, generated?.index ?? 0))
    .update(body.subarray(from))
    .digest("hex");
}

/** Other code may make other rows of the same page: pages are parsed again after an upgrade. */
function programDigest(): string {
  known ??= digestFiles();
  return known;
}
let known: string | undefined;

function digestFiles(): string {
  const hash = createHash("sha256");
  for (const room of ["contract", "crawl", "landing", "normalize", "parse"]) {
    const folder = join(import.meta.dirname, "..", room);
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
      if (/\.[jt]s$/.test(name)) hash.update(readFileSync(join(folder, name)));
  }
  // Versions of the parsers.
  const versions = join(import.meta.dirname, "../../package-lock.json");
  if (existsSync(versions)) hash.update(readFileSync(versions));
  return hash.digest("hex");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
