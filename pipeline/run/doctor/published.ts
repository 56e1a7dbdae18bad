/** Checks the published data and its backups. */
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { acceptanceLine } from "../../contract/documents/manifest.ts";
import { IRREPLACEABLE_TABLES } from "../../contract/tables.ts";
import { UsageError } from "../../errors.ts";
import { dayOf, openBackups, readState } from "../../backup/backups.ts";
import { diskReader, nodeDisk } from "../../disk/disk.ts";
import { sizeProblem } from "../../store/file-check.ts";
import { readFreshness } from "../../store/freshness.ts";
import { type PublishedSnapshot, listPublished, readLocalPointer } from "../../store/published.ts";
import { DamagedSnapshot, OtherContract } from "../../store/manifest.ts";
import { nameOf } from "../../store/layout.ts";
import { verifySnapshot } from "../../store/verify.ts";
import { openDatabase } from "../../store/database.ts";
import { readPublishedVersions } from "../../store/versions.ts";
import { megabytes } from "../run-report.ts";
import { fault, type Finding, type Findings, note, ok } from "./finding.ts";

const HOUR_MS = 3_600_000;
/** The age after two missed hourly runs. */
const OVERDUE_HOURS = 2;
/** The allowed age of a backup, which is taken once a day. */
const BACKUP_HOURS = 48;
const SHOWN_FILES = 3;

export async function* checkPublished({ artifactsDir, dataDir, follows }: PipelineConfig, now: Date): Findings {
  const names = await listPublished(artifactsDir);
  const heal = follows ? "the server copies it again" : "`make refresh` repairs what it can";
  try {
    await readPublishedVersions(artifactsDir);
    const pointer = await readLocalPointer(artifactsDir);
    if (!pointer && names.length > 0) yield fault(`${artifactsDir} has snapshots, and none is in service`, heal);
    else if (!pointer) yield note(`nothing is published in ${artifactsDir}`, "`make serve` builds it first");
    else {
      const published = { folder: artifactsDir, manifest: pointer.snapshot, retained: pointer.retained };
      yield await checkFiles(published, names.length, heal);
      yield await checkAge(artifactsDir, now);
      yield* checkWithheld(artifactsDir);
      yield* checkBackups(dataDir, published, now);
    }
  } catch (error) {
    if (error instanceof UsageError) yield fault(error.message, "nothing is lost");
    else if (error instanceof OtherContract)
      yield fault(`no server serves it: ${error.message}`, "the next run or `make serve` migrates it");
    else if (error instanceof DamagedSnapshot) yield fault(`the data in service: ${error.message}`, heal);
    else if ((error as NodeJS.ErrnoException).code !== undefined)
      yield fault(
        `what is published in ${artifactsDir} cannot be read (${(error as NodeJS.ErrnoException).code})`,
        "give the folder to the user who runs this, or correct ARTIFACTS_DIR",
      );
    else throw error;
  }
}

/** Checks the files like the server, and also that there is nothing else. */
async function checkFiles(published: PublishedSnapshot, generations: number, heal: string): Promise<Finding> {
  const { folder, manifest } = published;
  const { contract, files } = manifest;
  const database = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder: folder });
  const problems = await verifySnapshot(database.connection, published).finally(() => database.close());
  if (problems.length > 0) {
    const more = problems.length > SHOWN_FILES ? ` and ${problems.length - SHOWN_FILES} more` : "";
    const named = problems.slice(0, SHOWN_FILES).map(({ path, problem }) => `${path} (${problem})`);
    return fault(`snapshot ${nameOf(manifest)} is damaged: ${named.join(", ")}${more}`, heal);
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return ok(
    `snapshot ${nameOf(manifest)}: ${files.length} files, ${megabytes(bytes)}, contract version ${contract}; snapshots kept: ${generations}`,
  );
}

async function checkAge(artifactsDir: string, now: Date): Promise<Finding> {
  const { products } = await readFreshness(artifactsDir);
  const latest = Math.max(...Object.values(products).map((time) => Date.parse(time)));
  if (!Number.isFinite(latest)) return note("when the data was last refreshed is not recorded", "run `make refresh`");
  const hours = (now.getTime() - latest) / HOUR_MS;
  const time = new Date(latest).toISOString();
  if (hours < -0.1) return fault(`the last refresh is in the future: ${time}`, "set this computer's clock");
  if (hours <= OVERDUE_HOURS) return ok(`last refreshed ${time}`);
  return note(
    `last refreshed ${time}: an hourly refresh is overdue`,
    "run `make refresh` by cron or systemd, or `make watch`",
  );
}

async function* checkWithheld(artifactsDir: string): Findings {
  for (const { reasons, since, title } of (await readFreshness(artifactsDir)).withheld ?? [])
    yield note(
      `${title} is as of ${since}, a newer version was refused: ${reasons.map(({ text }) => text).join("; ")}`,
      `if the university says so, accept it once: \`${acceptanceLine(reasons)}\``,
    );
}

async function* checkBackups(dataDir: string, { manifest }: PublishedSnapshot, now: Date): Findings {
  if (!manifest.files.some(({ table }) => IRREPLACEABLE_TABLES.includes(table))) return;
  const store = openBackups(dataDir, nodeDisk);
  const { current, damage, manifests, unreadable } = await readState(store);
  for (const key of unreadable)
    yield fault(`${key} of a backup cannot be read`, "remove it to give that backup up: its files stay until then");
  if (damage !== undefined) yield fault(`the backups: ${damage}`, "the next run makes it again");
  if (!current) return yield note("recorded history has no backup", "the next run takes one");
  const newest = current.snapshot;
  const stored = await Promise.all(
    newest.files.map(async (file) => sizeProblem(await diskReader.stat(store.locate?.(file.path) ?? ""), file)),
  );
  const lost = stored.filter((problem) => problem !== undefined).length;
  const days = manifests.length === 1 ? "1 backup" : `${manifests.length} backups`;
  if (lost > 0)
    yield fault(`backup of ${dayOf(newest)}: ${lost} files are damaged or missing`, "the next run copies them again");
  else if (now.getTime() - Date.parse(newest.createdAt) > BACKUP_HOURS * HOUR_MS)
    yield note(`${days}, the newest of ${dayOf(newest)}`, "the first run of a day takes one: run `make refresh`");
  else yield ok(`${days} of recorded history, the newest of ${dayOf(newest)}`);
}
