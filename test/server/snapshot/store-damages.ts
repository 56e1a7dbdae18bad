/** What can be wrong with the folder of a generation that was published whole. */
import { createHash } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const DAMAGES: readonly [what: string, harm: (folder: string) => Promise<void>][] = [
  [
    "a file with another content of the same size",
    async (folder) => {
      const path = join(
        folder,
        (await readdir(folder, { recursive: true })).find((name) => name.startsWith("grades/2024-")) ?? "",
      );
      const bytes = await readFile(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 255;
      await rename(path, `${path}.old`);
      await writeFile(path, bytes);
    },
  ],
  [
    "a file that is missing",
    async (folder) => {
      const path = (await readdir(folder, { recursive: true })).find((name) => name.endsWith(".parquet")) ?? "";
      await rename(join(folder, path), join(folder, "elsewhere"));
    },
  ],
  ["a manifest that is no JSON", (folder) => writeFile(join(folder, "manifest.json"), "{")],
  [
    "another contract version",
    async (folder) => {
      const path = join(folder, "manifest.json");
      await writeFile(path, JSON.stringify({ ...(JSON.parse(await readFile(path, "utf8")) as object), contract: 999 }));
    },
  ],
  [
    "a file that matches its hash but is no table",
    async (folder) => {
      const path = join(folder, "manifest.json");
      const manifest = JSON.parse(await readFile(path, "utf8")) as { files: Record<string, unknown>[] };
      const terms = manifest.files.find(({ table }) => table === "terms") as Record<string, unknown>;
      await writeFile(join(folder, "terms/odd.parquet"), "nothing");
      Object.assign(terms, {
        path: "terms/odd.parquet",
        bytes: 7,
        sha256: createHash("sha256").update("nothing").digest("hex"),
      });
      await writeFile(path, JSON.stringify(manifest));
    },
  ],
];
