/** The parameters of the list of changes (behaviour §9). */
import { CHANGE_KINDS, type ChangeKind } from "../../../pipeline/contract/change.ts";
import { momentParam } from "../../response/as-of.ts";
import { listOf, type Param, type ValuesOf } from "../../response/params.ts";
import { scheduleParams } from "../schedule/schedule-params.ts";
import { courseNumberParam, departmentParam, quarterParam, yearParam } from "../shared-params.ts";

const kinds: Param<readonly ChangeKind[]> = {
  ...listOf(
    "kinds of changes",
    (item) => CHANGE_KINDS.find((kind) => kind === item),
    `one of ${CHANGE_KINDS.join(", ")}`,
  ),
  schema: { type: "string", enum: CHANGE_KINDS, examples: ["status", "cancelled"] },
};

export const changeParams = {
  since: momentParam("changes after this snapshot, day or time only"),
  until: momentParam("changes up to this snapshot, day or time only"),
  year: yearParam,
  quarter: quarterParam,
  department: departmentParam,
  courseNumber: courseNumberParam,
  sectionCodes: scheduleParams.sectionCodes,
  instructorName: scheduleParams.instructorName,
  kind: kinds,
};
export type ChangeValues = ValuesOf<typeof changeParams>;
