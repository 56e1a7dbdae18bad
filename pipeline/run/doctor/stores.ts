/** Checks the stores that snapshots are published to and copied from. Writes nothing. */
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { UpstreamError } from "../../errors.ts";
import { OtherContract } from "../../store/manifest.ts";
import { refusal } from "../../store/versions.ts";
import { readPointer } from "../../store/pointer.ts";
import { openReader, openStore } from "../../store/open-store.ts";
import type { StoreReader } from "../../store/store.ts";
import { fault, type Finding, type Findings, note, ok } from "./finding.ts";

export async function* checkStores(
  { aws, publishTo, timeoutMs }: PipelineConfig,
  followUrl: URL | undefined,
): Findings {
  if (publishTo?.protocol === "s3:" && aws.credentials === undefined)
    yield fault(
      "PUBLISH_TO: nothing may be written without credentials",
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  if (publishTo) yield await look("PUBLISH_TO", openStore(publishTo, { aws, retries: 0 }));
  if (followUrl) yield await look("FOLLOW_URL", openReader(followUrl, { aws, idleMs: timeoutMs }));
}

async function look(variable: string, reader: StoreReader): Promise<Finding> {
  try {
    const pointer = await readPointer(reader);
    if (typeof pointer !== "object") {
      const empty = `${variable}: ${reader.name} has no snapshot yet`;
      return variable === "PUBLISH_TO"
        ? ok(`${empty}; the next run publishes there`)
        : note(empty, "is the address right?");
    }
    const { id, contract } = pointer.snapshot;
    return ok(`${variable}: ${reader.name} has snapshot ${id}, contract version ${contract}`);
  } catch (error) {
    const refused = error instanceof OtherContract ? refusal("the snapshot", reader.name, error) : undefined;
    if (refused !== undefined) return fault(`${variable}: ${refused}`, "nothing is lost");
    const words =
      error instanceof UpstreamError ? error.message : ((error as NodeJS.ErrnoException).code ?? String(error));
    return fault(`${variable}: ${reader.name}: ${words}`, `check ${variable}, the network and the AWS_ variables`);
  }
}
