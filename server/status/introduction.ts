/** The text that a person at a terminal sees once the server listens. */
import { isSample } from "../../pipeline/contract/sample-campus.ts";
import type { Store } from "../snapshot/store.ts";
import { dataAge } from "./data-age.ts";

/** Builds the text. `base` is the server's address, with a trailing slash. */
export function introductionOf(base: string, store: Pick<Store, "current" | "freshness">): string {
  const lines = {
    Docs: `${base}docs`,
    Status: `${base}status`,
    Data: dataOf(store),
    Stop: "Ctrl-C",
  };
  const text = Object.entries(lines).map(([name, value]) => `  ${name.padEnd(8)} ${value}\n`);
  return `\n${text.join("")}\nReady: ${base.replace(/\/$/, "")}\n`;
}

function dataOf(store: Pick<Store, "current" | "freshness">): string {
  const manifest = store.current()?.published.manifest;
  const age = dataAge(store, new Date());
  if (!manifest || !age) return "none yet: `make doctor` says why";
  return [
    `snapshot ${manifest.generation}-${manifest.id}`,
    ...(isSample(manifest.source) ? ["sample campus (invented)"] : []),
    ageText(age.seconds),
    ...(store.freshness().olderTerms === undefined ? [] : ["older terms are being added"]),
    ...(age.overdueSince === null ? [] : [`overdue since ${age.overdueSince}`]),
  ].join(", ");
}

function ageText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "less than a minute old";
  const [count, unit] =
    minutes < 60
      ? [minutes, "minute"]
      : minutes < 2880
        ? [Math.round(minutes / 60), "hour"]
        : [Math.round(minutes / 1440), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"} old`;
}
