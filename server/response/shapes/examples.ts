/** Example responses with invented people; every shape must have one. */
import type { z } from "zod";
import type { ShapeName, SHAPES } from "./shapes.ts";

type Examples = { readonly [N in ShapeName]: z.infer<(typeof SHAPES)[N]> };

const section: Examples["Schedule"]["schools"][number]["departments"][number]["courses"][number]["sections"][number] = {
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

const counts = {
  gradeACount: 41,
  gradeBCount: 38,
  gradeCCount: 17,
  gradeDCount: 4,
  gradeFCount: 3,
  gradePCount: 6,
  gradeNPCount: 1,
  gradeWCount: 2,
  averageGPA: 3.07,
};
const graded = {
  year: "2025",
  quarter: "Fall",
  sectionCode: "34250",
  department: "COMPSCI",
  courseNumber: "161",
  courseNumeric: 161,
  geCategories: [],
  instructors: ["AMBERLEY, R."],
} as const;
const gradedSection = { ...graded, geCategories: [], instructors: [...graded.instructors] };
const ofCourse = { department: "COMPSCI", courseNumber: "161" };

const course: Examples["Course"] = {
  id: "COMPSCI161",
  department: "COMPSCI",
  courseNumber: "161",
  courseNumeric: 161,
  school: "School of Information Sciences",
  title: "Design and Analysis of Algorithms",
  courseLevel: "Upper Division (100-199)",
  minUnits: 4,
  maxUnits: 4,
  description: "How algorithms are designed, and how much time they take.",
  departmentName: "Computer Science",
  prerequisiteTree: { AND: ["I&C SCI 46", { OR: ["MATH 2B", "MATH 5B"] }] },
  prerequisiteList: ["I&C SCI 46", "MATH 2B", "MATH 5B"],
  prerequisiteText: "I&C SCI 46 (min grade C) AND (MATH 2B OR MATH 5B)",
  repeatability: "",
  gradingOption: "",
  concurrent: "",
  sameAs: "",
  restriction: "",
  overlap: "",
  corequisites: "",
  geList: [],
  geText: "",
  prerequisiteFor: ["COMPSCI 162"],
  instructorHistory: ["ramberley"],
  terms: ["2026 Fall", "2025 Fall"],
};

const instructor: Examples["Instructor"] = {
  netid: "ramberley",
  name: "Robin Amberley",
  shortenedName: "AMBERLEY, R.",
  title: "Lecturer",
  email: "ramberley@example.edu",
  department: "Computer Science",
  schools: ["School of Information Sciences"],
  relatedDepartments: ["COMPSCI"],
  courseHistory: { "COMPSCI 161": ["2026 Fall", "2025 Fall"] },
};

export const RESPONSE_EXAMPLES: Examples = {
  Schedule: {
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
                sections: [section],
              },
            ],
          },
        ],
      },
    ],
  },
  Departments: [
    { deptLabel: "ALL: Include All Departments", deptValue: "ALL" },
    { deptLabel: "COMPSCI: Computer Science", deptValue: "COMPSCI" },
  ],
  Terms: [
    { shortName: "2026 Fall", longName: "2026 Fall Quarter" },
    { shortName: "2026 Summer2", longName: "2026 Summer Session 2" },
  ],
  RawGrades: [{ ...gradedSection, ...counts }],
  AggregateGrades: { sectionList: [gradedSection], gradeDistribution: counts },
  GradeOptions: {
    years: ["2025", "2024"],
    departments: ["COMPSCI"],
    courseNumbers: ["161"],
    sectionCodes: ["34250"],
    instructors: ["AMBERLEY, R."],
  },
  CourseGrades: [{ ...ofCourse, ...counts }],
  OfferingGrades: [{ ...ofCourse, instructor: "AMBERLEY, R.", ...counts }],
  Course: course,
  Courses: [course],
  Instructor: instructor,
  Instructors: [instructor],
  SearchHits: [
    {
      kind: "course",
      id: "COMPSCI161",
      title: "COMPSCI 161",
      subtitle: "Design and Analysis of Algorithms",
      department: "COMPSCI",
      score: 1,
      links: {
        self: "/v1/rest/courses/COMPSCI161",
        grades: "/v1/rest/grades/raw?department=COMPSCI&courseNumber=161",
        sections: "/v1/rest/schedule?year=2026&quarter=Fall&department=COMPSCI&courseNumber=161",
      },
    },
  ],
  Changes: [
    {
      at: "2026-11-21T07:00:04.120Z",
      since: "2026-11-21T06:00:03.870Z",
      snapshot: "3f2a9c0b7d1e4a58",
      year: "2026",
      quarter: "Fall",
      sectionCode: "34250",
      ...ofCourse,
      kind: "status",
      field: "status",
      before: "FULL",
      after: "OPEN",
    },
  ],
  Week: { weeks: [3], quarters: ["Fall Quarter 2026"], display: "Week 3 • Fall Quarter 2026" },
  Larc: [
    {
      courseInfo: { courseNumber: "MATH 2A", courseName: "Calculus" },
      sections: [{ day: "MW", time: "9:00-9:50a", instructor: "Sasha Quillfeather", building: "ON LINE" }],
    },
  ],
  EnrollmentHistory: [
    {
      year: "2026",
      quarter: "Fall",
      sectionCode: 34250,
      ...ofCourse,
      sectionType: "Lec",
      sectionNum: "A",
      units: "4",
      instructors: ["AMBERLEY, R."],
      meetings: [{ days: "TuTh", time: "2:00-3:20p", bldg: ["ALP 2300"] }],
      finalExam: "Tue, Dec 8, 1:30-3:30pm",
      dates: ["2026-09-21", "2026-09-22"],
      maxCapacityHistory: ["150", "150"],
      totalEnrolledHistory: ["138", "142"],
      waitlistHistory: ["0", "0"],
      waitlistCapHistory: ["20", "20"],
      requestedHistory: ["205", "210"],
      newOnlyReservedHistory: ["", ""],
      statusHistory: ["OPEN", "OPEN"],
    },
  ],
};
