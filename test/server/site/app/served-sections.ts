/** The sections of a plan as the API has them. */
import type { z } from "zod";
import type { Schedule } from "../../../../server/response/shapes/schedule.ts";
import type { PlanWorld } from "./plan-world.ts";

/** What the API says of these sections, those that are cancelled excluded. */
export async function servedSections(world: PlanWorld, ...codes: string[]) {
  const address = `/schedule?year=2024&quarter=Fall&sectionCodes=${codes.join(",")}`;
  const { schools } = await world.json<z.infer<typeof Schedule>>(address);
  return schools.flatMap(({ departments }) =>
    departments.flatMap(({ courses }) =>
      courses.flatMap(({ deptCode, courseNumber, sections }) =>
        sections.map((section) => ({
          ...section,
          deptCode,
          courseNumber,
          name: `${deptCode} ${courseNumber} ${section.sectionType} ${section.sectionNum}`,
        })),
      ),
    ),
  );
}
export type ServedSection = Awaited<ReturnType<typeof servedSections>>[number];
