/** The import of older enrollment history, as an operator does it: files in `data/enrollment/`, then a refresh. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runPipeline, type Side } from "./sides.ts";

const QUARTERS = ["Winter", "Spring", "Summer1", "Fall"];
const [DAYS, SECTIONS] = [100, 750];
const COLUMNS =
  "year,quarter,sectionCode,date,maxCapacity,totalEnrolled,waitlist,waitlistCap,requested,newOnlyReserved,status";
const DAY_MS = 86_400_000;

/** A section's day for each section and day: sections fill at different speeds, and their waitlists grow. */
function csv(year: number, quarter: string): string {
  const rows = [COLUMNS];
  for (let day = 0; day < DAYS; day++) {
    const date = new Date(Date.UTC(year, 3 * QUARTERS.indexOf(quarter), 1) + day * DAY_MS).toISOString().slice(0, 10);
    for (let section = 0; section < SECTIONS; section++) {
      const seats = 20 + (section % 200);
      const wanted = Math.floor((day * (section % 9)) / 8) + (section % 30);
      const isFull = wanted >= seats;
      const values = [
        seats,
        Math.min(seats, wanted),
        isFull ? wanted - seats : "n/a",
        20,
        wanted + 3,
        "",
        isFull ? "Waitl" : "OPEN",
      ];
      rows.push([year, quarter, 10_000 + 7 * section, date, ...values].join(","));
    }
  }
  return `${rows.join("\n")}\n`;
}

/**
 * Returns the imported rows per processor second: what a refresh with new files takes more than the same refresh
 * without any. Each turn has years of its own.
 */
export async function importDays(side: Side, turn: number, env: Readonly<Record<string, string>>): Promise<number> {
  const folder = join(side.root, "data/enrollment");
  const refresh = async () => (await runPipeline(side, ["refresh"], env)).processorSeconds;
  // The first one fetches what has changed since the run before.
  await refresh();
  const without = await refresh();
  await mkdir(folder, { recursive: true });
  for (const quarter of QUARTERS) await writeFile(join(folder, `${quarter}.csv`), csv(2000 + turn, quarter));
  const imported = await refresh();
  await rm(folder, { recursive: true });
  return (QUARTERS.length * DAYS * SECTIONS) / (imported - without);
}
