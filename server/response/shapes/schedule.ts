/** The schema of a schedule: schools, departments, courses and sections, with the contract's fields that are served. */
import { z } from "zod";
import { headings, sections } from "../../../pipeline/contract/rows/section.ts";
import { fieldsOf } from "../../../pipeline/contract/table.ts";
import {
  COURSE_FIELDS,
  DEPARTMENT_FIELDS,
  SCHOOL_FIELDS,
  SECTION_FIELDS,
} from "../../snapshot/tables/schedule-term.ts";
import { shape } from "./shape.ts";

/** Present with `instructorIds=true`. */
export const idsOfNames = z
  .array(z.array(z.string()))
  .optional()
  .describe(
    "for each of `instructors`, in their order, the network ids of those whom the name may mean; with `instructorIds=true`",
  );

const section = sections.row.shape;
const heading = headings.row.shape;

export const Section = z.object({ ...fieldsOf(section, SECTION_FIELDS), instructorIds: idsOfNames });
export const ScheduleCourse = z.object({ ...fieldsOf(section, COURSE_FIELDS), sections: z.array(Section) });
export const ScheduleDepartment = z.object({
  ...fieldsOf(heading, DEPARTMENT_FIELDS),
  courses: z.array(ScheduleCourse),
});
export const School = z.object({ ...fieldsOf(heading, SCHOOL_FIELDS), departments: z.array(ScheduleDepartment) });
export const Schedule = z.object({ schools: z.array(School) });

export const DepartmentOption = z.object({
  deptLabel: z.string().describe("`<code>: <name>`; the first one stands for all departments"),
  deptValue: z.string().describe("department code; `ALL` for all departments"),
});
export const TermOption = z.object({
  shortName: z.string().describe("`<year> <quarter>`, such as `2026 Fall`"),
  longName: z.string().describe("name for people, such as `2026 Fall Quarter`"),
});

const sectionExample: z.infer<typeof Section> = {
  sectionCode: "34250",
  sectionType: "Lec",
  sectionNum: "A",
  units: "4",
  instructors: ["AMBERLEY, R."],
  meetings: [
    {
      timeIsTBA: false,
      bldg: ["ALP 2300"],
      days: "TuTh",
      startTime: { hour: 14, minute: 0 },
      endTime: { hour: 15, minute: 20 },
    },
  ],
  finalExam: {
    examStatus: "SCHEDULED_FINAL",
    dayOfWeek: "Tue",
    month: 11,
    day: 8,
    startTime: { hour: 13, minute: 30 },
    endTime: { hour: 15, minute: 30 },
    bldg: ["ALP 2300"],
  },
  maxCapacity: "150",
  numCurrentlyEnrolled: { totalEnrolled: "142", sectionEnrolled: "" },
  numOnWaitlist: "0",
  numWaitlistCap: "20",
  numRequested: "210",
  numNewOnlyReserved: "",
  restrictions: "A",
  status: "OPEN",
  sectionComment: "",
};

export const scheduleShapes = {
  Schedule: shape(Schedule, {
    schools: [
      {
        schoolName: "School of Information Sciences",
        schoolComment: "",
        departments: [
          {
            deptComment: "",
            sectionCodeRangeComments: [],
            courseNumberRangeComments: [],
            deptCode: "COMPSCI",
            deptName: "Computer Science",
            courses: [
              {
                deptCode: "COMPSCI",
                courseComment: "",
                prerequisiteLink: "https://registrar.example.edu/prerequisites?dept=COMPSCI",
                courseNumber: "161",
                courseTitle: "DES&ANALYS OF ALGOR",
                sections: [sectionExample],
              },
            ],
          },
        ],
      },
    ],
  }),
  Departments: shape(z.array(DepartmentOption), [
    { deptLabel: "ALL: Include All Departments", deptValue: "ALL" },
    { deptLabel: "COMPSCI: Computer Science", deptValue: "COMPSCI" },
  ]),
  Terms: shape(z.array(TermOption), [
    { shortName: "2026 Fall", longName: "2026 Fall Quarter" },
    { shortName: "2026 Summer2", longName: "2026 Summer Session 2" },
  ]),
} as const;
