/** Makes the files of views anew where the tables were rewritten, each once, whichever snapshots have it. */
import { join } from "node:path";
import type { DerivedFile, Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { isSound } from "../generations/file-check.ts";
import { type Derived, deriveFiles } from "../publish/derive.ts";
import type { RewriteContext } from "./rewrite.ts";

export interface Deriver {
  /**
   * @param folder where the derived files of the manifest are; undefined for those of a store, which stay where they are
   * @param files the rewritten ones
   */
  derive(
    manifest: Manifest,
    folder: string | undefined,
    files: readonly { readonly file: PublishedFile; readonly at: string | undefined }[],
  ): Promise<readonly Derived[]>;
}

/** @param onProblem told of a file that cannot be made: it is left out */
export function createDeriver(context: RewriteContext, onProblem: (problem: string) => void): Deriver {
  const { connection, disk, filesFolder } = context;
  const made: Derived[] = [];
  return {
    async derive(manifest, folder, files) {
      const sound: DerivedFile[] = [];
      for (const file of manifest.derived)
        if (folder === undefined || (await isSound(join(folder, file.path), file, disk))) sound.push(file);
      const generation = { folder: folder ?? "", manifest };
      const base = { generation, damage: undefined, damaged: [], derived: sound, unreadable: undefined };
      const derived = await deriveFiles(connection, { disk, filesFolder }, { base, files, made, onProblem });
      for (const one of derived) if (!sound.includes(one.file) && !made.includes(one)) made.push(one);
      return derived;
    },
  };
}
