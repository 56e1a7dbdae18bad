/** The statement in pipeline/README.md carries recorded enrollment over into data that is built anew. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { runSql } from "../support/run-sql.ts";
import { enrolled, FALL, openHistoryDays } from "../support/published/history-days.ts";
import { meeting } from "../support/worlds/section-rows.ts";
import { openFolder } from "../support/whole-run.ts";

const before = await openFolder();
const after = await openFolder();
afterAll(() => Promise.all([before.remove(), after.remove()]));

async function sql({ artifacts, data }: typeof before, statement: string, format: "csv" | "json"): Promise<string> {
  let text = "";
  for await (const part of runSql(artifacts, statement, format, { tempFolder: join(data, "spill") })) text += part;
  return text;
}

async function documented(): Promise<string> {
  const readme = await readFile(fileURLToPath(new URL("../../pipeline/README.md", import.meta.url)), "utf8");
  const [, statement = ""] = /FORMAT=csv Q="([^"]+)" > recorded\.csv/.exec(readme) ?? [];
  return statement;
}

test("recorded and imported days come along, with all that a file can carry", async () => {
  const old = await openHistoryDays(before);
  const winter = { year: "2023", quarter: "Winter" } as const;
  const sections = [
    enrolled(1, { meetings: [meeting("MWF", "8:00", "8:50", "EH 1200"), meeting("Tu", "13:00", "14:20", "ALP 2300")] }),
    enrolled(2, { sectionCode: "35740", sectionNum: "B", instructors: ["BRISTOW, T.", "MÜLLER, E."], meetings: [] }),
    enrolled(3, { sectionCode: "02000", deptCode: "ART", courseNumber: "9A", courseNumeric: 9, instructors: [] }),
    enrolled(4, {
      sectionCode: "02001",
      deptCode: "CRM/LAW",
      status: "Waitl",
      numOnWaitlist: "7",
      numNewOnlyReserved: "3",
    }),
  ];
  await mkdir(join(before.data, "enrollment"));
  await writeFile(
    join(before.data, "enrollment", "old.ndjson"),
    JSON.stringify({ ...FALL, sectionCode: "35730", date: "2022-05-10", maxCapacity: 9, totalEnrolled: 0 }),
  );
  await old.run("2022-05-17", [{ term: FALL, sections }]);
  await old.run("2022-05-18", [
    { term: FALL, sections: sections.map((section) => ({ ...section, maxCapacity: "400" })) },
  ]);
  await old.run("2022-06-01", [{ term: winter, sections: [enrolled(7, winter)] }]);
  old.close();

  await mkdir(join(after.data, "enrollment"), { recursive: true });
  await writeFile(join(after.data, "enrollment", "recorded.csv"), await sql(before, await documented(), "csv"));
  const anew = await openHistoryDays(after);
  const { report } = await anew.run("2022-06-02");
  anew.close();
  expect(report).toMatchObject({ dropped: [], damaged: [] });

  const days = "SELECT * EXCLUDE (imported) FROM enrollment_days ORDER BY ALL";
  const carried = await sql(after, days, "json");
  expect(carried).toBe(await sql(before, days, "json"));
  expect(JSON.parse(carried)).toHaveLength(10);
  const described = "SELECT * EXCLUDE (imported) FROM enrollment_history ORDER BY ALL";
  expect(await sql(after, described, "json")).toBe(await sql(before, described, "json"));
  expect(await sql(after, "SELECT DISTINCT imported FROM enrollment_days", "csv")).toBe("imported\ntrue\n");
});
