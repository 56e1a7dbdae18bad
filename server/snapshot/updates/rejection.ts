/** Which generation was rejected, and why. */
import type { Log } from "../../../pipeline/log.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { DamagedGeneration, OtherContract } from "../../../pipeline/store/manifest.ts";
import { refusal } from "../../../pipeline/store/versions.ts";

/** A rejected generation is retried after this time: a disk may recover. */
const RETRY_MS = 10_000;

interface Rejection {
  readonly folderName: string;
  readonly why: string;
  readonly isOtherContract: boolean;
}

export interface Rejections {
  current(): Rejection | undefined;
  /** It survives the next swap. */
  last(): { why: string; at: string } | undefined;
  /** `isServing`: an older generation is served instead. */
  reject(folderName: string, error: unknown, isServing: boolean): void;
  /** Whether this generation was rejected a moment ago. */
  isRecent(folderName: string): boolean;
  clear(): void;
}

/** `onReject` is called once for each rejected generation. */
export function createRejections(log: Log, onReject: () => void): Rejections {
  let current: (Rejection & { readonly at: number }) | undefined;
  let last: { why: string; at: string } | undefined;
  return {
    current: () => current,
    last: () => last,
    isRecent: (folderName) => current?.folderName === folderName && Date.now() - current.at < RETRY_MS,
    clear: () => (current = undefined),
    reject(folderName, error, isServing) {
      const why = reasonOf(error) ?? `${folderName} does not load`;
      if (current?.folderName !== folderName) {
        const outcome = isServing ? "generation rejected, still serving the last good one" : "generation rejected";
        log.error(outcome, { why, cause: String(error).slice(0, 300) });
        last = { why, at: new Date().toISOString() };
        onReject();
      }
      current = { folderName, why, at: Date.now(), isOtherContract: error instanceof OtherContract };
    },
  };
}

/** For the operator; undefined for an unexpected error. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof OtherContract)) return error instanceof DamagedGeneration ? error.message : undefined;
  const { contract } = error;
  // Clients read it: the folder's path is not for them.
  return (
    refusal("the published data", "ARTIFACTS_DIR", error) ??
    `the published data is of contract version ${contract}, this server reads ${CONTRACT_VERSION}: run \`make refresh\` to migrate it`
  );
}
