/** The schema of recorded changes. */
import { z } from "zod";
import { changes } from "../../../pipeline/contract/rows/change.ts";
import { shape } from "./shape.ts";

const recorded = changes.row.shape;
const utc = (about: string) => z.iso.datetime({ precision: 3 }).describe(about);
export const Change = z.object({
  at: utc(recorded.at.description ?? ""),
  since: utc(recorded.since.description ?? ""),
  snapshot: recorded.snapshot,
  year: recorded.year,
  quarter: recorded.quarter,
  sectionCode: recorded.sectionCode,
  department: recorded.department,
  courseNumber: recorded.courseNumber,
  kind: recorded.kind,
  field: recorded.field,
  before: recorded.before,
  after: recorded.after,
});

export const changeShapes = {
  Changes: shape(z.array(Change), [
    {
      at: "2026-11-21T07:00:04.120Z",
      since: "2026-11-21T06:00:03.870Z",
      snapshot: "3f2a9c0b7d1e4a58",
      year: "2026",
      quarter: "Fall",
      sectionCode: "34250",
      department: "COMPSCI",
      courseNumber: "161",
      kind: "status",
      field: "status",
      before: "FULL",
      after: "OPEN",
    },
  ]),
} as const;
