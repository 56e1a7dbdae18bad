/** The title of a response says in words what its request selects; every filter of every endpoint has an example. */
import { expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import type { Endpoint } from "../../../server/response/endpoint.ts";
import { readQuery } from "../../../server/response/query.ts";

const TITLES = {
  "/schedule?year=2026&quarter=Fall": "Sections, Fall 2026",
  "/schedule?year=2026&quarter=Fall&includeCoCourses=false": "Sections, Fall 2026",
  "/schedule?year=2026&quarter=Summer1&ge=GE-2": "Sections satisfying GE-2, Summer Session 1 2026",
  "/schedule?department=i%26c sci&year=2026&quarter=Fall": "Sections in I&CSCI, Fall 2026",
  "/schedule?sectionCodes=34250": "Sections with section code 34250",
  "/schedule?sectionCodes=34250,05000-05099,00001": "Sections with section code 34250, 05000-05099 or 00001",
  "/schedule?netid=RAMBERLE&instructorIds=true": "Sections taught by ramberle",
  "/schedule?instructorName=AMBERLEY,": "Sections taught by AMBERLEY",
  "/schedule?instructorName= AMBERLEY ,": "Sections taught by AMBERLEY",
  "/schedule?instructorName=AMBERLEY, R": "Sections taught by AMBERLEY, R",
  "/schedule?building=alp": "Sections meeting in ALP",
  "/schedule?building= alp &room= 2300 ": "Sections meeting in ALP 2300",
  "/schedule?building= on ": "Sections meeting online",
  "/schedule?division=UpperDiv": "Upper-division sections",
  "/schedule?courseNumber=161,100-199": "Sections with course number 161 or 100-199",
  "/schedule?courseTitle=algo": 'Sections with "algo" in the title',
  "/schedule?sectionType=Lec": "Lecture sections",
  "/schedule?units=4,VAR": "Sections of 4 or variable units",
  "/schedule?units=1": "Sections of 1 unit",
  "/schedule?units=1,3": "Sections of 1 or 3 units",
  "/schedule?units=3": "Sections of 3 units",
  "/schedule?days=MWF": "Sections on MWF",
  "/schedule?days=Th,Tu": "Sections on TuTh",
  "/schedule?startTime=12:30pm": "Sections after 12:30 pm",
  "/schedule?startTime=0:05": "Sections after 12:05 am",
  "/schedule?startTime=12:00": "Sections after 12:00 pm",
  "/schedule?endTime=17:00": "Sections before 5:00 pm",
  "/schedule?startTime=9:00&endTime=17:00": "Sections between 9:00 am and 5:00 pm",
  "/schedule?maxCapacity=>100": "Sections with more than 100 seats",
  "/schedule?maxCapacity=<20": "Sections with fewer than 20 seats",
  "/schedule?maxCapacity==1": "Sections with 1 seat",
  "/schedule?fullCourses=SkipFull": "Open sections",
  "/schedule?fullCourses=SkipFullWaitlist": "Open or waitlisted sections",
  "/schedule?fullCourses=FullOnly": "Full or waitlisted sections",
  "/schedule?fullCourses=OverEnrolled": "Over-enrolled sections",
  "/schedule?excludeRestrictionCodes=A,L": "Sections without restriction A or L",
  "/schedule?cancelledCourses=Only": "Cancelled sections",
  "/schedule?cancelledCourses=Include": "Sections including cancelled ones",
  "/schedule?cancelledCourses=Exclude&cache=false": "Sections",
  "/schedule?year=2026&quarter=Fall&cacheOnly=true&includeCoCourses=true&days=TuTh":
    "Sections on TuTh, Fall 2026, with all sections of their courses",
  "/schedule?year=2026&quarter=Fall&department=COMPSCI&days=TuTh&startTime=12:30 pm&fullCourses=SkipFull":
    "Open sections in COMPSCI on TuTh after 12:30 pm, Fall 2026",
  "/schedule?year=2026&quarter=Fall&division=Graduate&sectionType=Sem&fullCourses=FullOnly&department=MATH":
    "Full or waitlisted graduate seminar sections in MATH, Fall 2026",
  "/schedule/depts": "Departments",
  "/schedule/terms": "Terms",
  "/grades/raw?year=2025": "Grades of sections, 2025",
  "/grades/raw?quarter=Fall": "Grades of sections, Fall",
  "/grades/raw?department=math,I%26C SCI&courseNumber=2A,2B":
    "Grades of sections in MATH or I&CSCI with course number 2A or 2B",
  "/grades/raw?department=COMPSCI&courseNumber=161&year=2025&quarter=Winter":
    "Grades of sections in COMPSCI with course number 161, Winter 2025",
  "/grades/aggregate?instructor=AMBERLEY, R.": "Grade distribution of sections taught by AMBERLEY, R.",
  "/grades/aggregate?excludePNP=true": "Grade distribution of sections with letter grades",
  "/grades/aggregate?excludePNP=false": "Grade distribution of sections",
  "/grades/options?sectionCode=34250": "Choices for grades of sections with section code 34250",
  "/grades/aggregateByCourse?ge=GE-1A&division=LowerDiv":
    "Grades by course of lower-division sections satisfying GE-1A",
  "/grades/aggregateByCourse?sort=highestGPA": "Grades by course of sections",
  "/grades/aggregateByOffering?division=ANY": "Grades by course and instructor of sections",
  "/instructors": "Instructors",
  "/instructors?nameContains=amb": 'Instructors with "amb" in the name',
  "/instructors?shortenedName=AMBERLEY, R.": "Instructors shown in the schedule as AMBERLEY, R.",
  "/instructors?titleContains=Lecturer": 'Instructors with "Lecturer" in the title',
  "/instructors?departmentContains=Computer": `Instructors with "Computer" in the department's name`,
  "/instructors?schoolsContains=School of Engineering": "Instructors at School of Engineering",
  "/instructors?relatedDepartmentsContains=COMPSCI,MATH": "Instructors related to COMPSCI or MATH",
  "/instructors?taughtInTerms=2026 Fall": "Instructors who taught in 2026 Fall",
  "/instructors?ids=ramberley,skim": "Instructors with id ramberley or skim",
  "/instructors/all": "All instructors",
  "/instructors/:id": "Instructor ramberley",
  "/courses?department=COMPSCI&courseLevel=UpperDiv": "Upper-division courses in COMPSCI",
  "/courses?ids=A1,A2,A3": "Courses with id A1, A2 or A3",
  "/courses?ids=A1,A2,A3,A4": "Courses with one of 4 ids",
  "/courses?courseNumber=H32": "Courses with course number H32",
  "/courses?courseNumeric=32": "Courses numbered 32 with or without letters",
  "/courses?titleContains=algo&descriptionContains=time":
    'Courses with "algo" in the title with "time" in the description',
  "/courses?minUnits=1": "Courses of at least 1 unit",
  "/courses?maxUnits=1.3": "Courses of at most 1.3 units",
  "/courses?minUnits=2&maxUnits=4": "Courses of 2 to 4 units",
  "/courses?taughtByInstructors=ramberley,skim,lee": "Courses taught by ramberley, skim or lee",
  "/courses?geCategory=GE-2": "Courses satisfying GE-2",
  "/courses?taughtInTerms=2026 Spring,2025 Fall": "Courses taught in 2026 Spring or 2025 Fall",
  "/courses/all": "All courses",
  "/courses/:id": "Course ramberley",
  "/week": "The academic week of 2026-11-25",
  "/week?year=2026&month=4&day=9": "The academic week of 2026-04-09",
  "/calendar?year=2026": "Terms of the academic calendar, 2026",
  "/calendar?year=2026&quarter=Fall": "Terms of the academic calendar, Fall 2026",
  "/larc?year=2026&quarter=Summer10wk": "Tutorials, 10-wk Summer 2026",
  "/enrollmentHistory?year=2026&quarter=Fall&sectionType=Lab": "Enrollment history of laboratory sections, Fall 2026",
  "/search?q= ics 46": 'Search results for "ics 46"',
  "/changes": "Changes of the schedule of classes",
  "/changes?since=2026-11-20&until=3f2a9c0b7d1e4a58":
    "Changes of the schedule of classes after 2026-11-20 up to snapshot 3f2a9c0b7d1e4a58",
  "/changes?kind=status,waitlist&department=COMPSCI&courseNumber=161&year=2026&quarter=Fall":
    "Status or waitlist changes of the schedule of classes in COMPSCI with course number 161, Fall 2026",
  "/changes?sectionCodes=34250&instructorName=amberley":
    "Changes of the schedule of classes with section code 34250 taught by amberley",
};

const CONTEXT = { id: "ramberley", now: new Date("2026-11-25T20:00:00Z") };
/** They select no data, or are the service's own: paging, formats, earlier snapshots, explanations. */
const WITHOUT_WORDS = ["fields", "cache", "cacheOnly", "limit", "offset", "format", "asOf", "explain"];

function endpointOf(request: string): { endpoint: Endpoint; query: URLSearchParams } {
  const [path, query = ""] = request.split(/\?(.*)/);
  const endpoint = endpoints.find((one) => one.path === path);
  if (!endpoint) throw new Error(`no endpoint has the path of ${request}`);
  return { endpoint, query: new URLSearchParams(query) };
}

it.each(Object.entries(TITLES))("%s: %s", (request, title) => {
  const { endpoint, query } = endpointOf(request);
  const { values, refused } = readQuery(query, endpoint.params);
  expect([...refused]).toEqual([]);
  expect(endpoint.title(values, CONTEXT)).toBe(title);
});

it("there is an example of every endpoint and of every filter", () => {
  const examples = Object.keys(TITLES).map(endpointOf);
  expect(endpoints.filter((one) => !examples.some(({ endpoint }) => endpoint === one))).toEqual([]);
  const shown = new Set(
    examples.flatMap(({ endpoint, query }) => [...query.keys()].map((name) => endpoint.params[name])),
  );
  const missing = endpoints.flatMap(({ path, params }) =>
    Object.entries(params)
      .filter(([name, param]) => !shown.has(param) && !WITHOUT_WORDS.includes(name))
      .map(([name]) => `${path}?${name}`),
  );
  expect(missing).toEqual([]);
});
