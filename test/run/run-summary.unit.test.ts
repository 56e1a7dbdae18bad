/** The summary of a run: what matters first, each problem with its cause and remedy. */
import { expect, it } from "vitest";
import type { RunReport } from "../../pipeline/contract/documents/run-report.ts";
import { summaryOf } from "../../pipeline/run/run-summary.ts";
import { runOf } from "../server/status/run-of.ts";

const lines = (report: RunReport, width = Infinity) =>
  summaryOf(report, { before: undefined, after: undefined, reportPath: "artifacts/report.txt", width }).split("\n");

it("all is well: three lines", () => {
  expect(lines(runOf([{ product: "schedule" }]))).toEqual([
    "Published: snapshot 0123456789abcdef. All is well. (5.0 s)",
    "New      nothing",
    "Report   artifacts/report.txt",
  ]);
});

it("each kind of problem has its own remedy", () => {
  const guard = "sections 2024 Fall would shrink from 100 to 9: refused (ALLOW_SHRINK=1 overrides)";
  const report = runOf(
    [
      { product: "schedule", status: "failed", error: guard, damaged: [guard] },
      { product: "grades", damaged: ["UG_Grades.csv is cut off"] },
      { product: "larc", status: "failed", error: "ENOSPC: no space left on device" },
    ],
    { advice: ["the disk of DATA_DIR is full: make room there"], withheld: "no product has anything" },
  );
  expect(lines(report)).toEqual([
    "NOT PUBLISHED: what is in service stays. (5.0 s)",
    "",
    "Needs attention",
    "  ✕ publication: no product has anything",
    "    → `make doctor` looks for the cause; the next `make refresh` tries again",
    `  ✕ schedule: ${guard}`,
    "    → if the university says so, accept it once: ALLOW_SHRINK=1 make refresh",
    "  ✕ grades: UG_Grades.csv is cut off",
    "    → `make doctor` looks for the cause; the next `make refresh` tries again",
    "  ✕ larc: ENOSPC: no space left on device",
    "    → the disk of DATA_DIR is full: make room there",
    "",
    "New      nothing",
    "Report   artifacts/report.txt",
  ]);
});

it("a problem of the backup needs attention although every product is published", () => {
  const backup = { newest: null, backups: 0, bytes: 0, taken: false, repaired: [], problems: ["EACCES"], failed: true };
  const [first, , , problem] = lines(runOf([{ product: "schedule" }], { backup }));
  expect([first, problem]).toEqual([
    "Published with problems: snapshot 0123456789abcdef. (5.0 s)",
    "  ✕ backup: EACCES",
  ]);
});

it("no line is as wide as the terminal, and no word is lost", () => {
  const error = "a.very.long.name.example refused the connection ".repeat(5).trim();
  const report = runOf([{ product: "schedule", status: "failed", error }]);
  const wrapped = lines(report, 40);
  expect(wrapped.filter((line) => line.length >= 40)).toEqual([]);
  expect(wrapped.join(" ").replaceAll(/\s+/g, " ")).toBe(lines(report).join(" ").replaceAll(/\s+/g, " "));
});
