/**
 * One row for each filter of the schedule endpoint: its rule, a term of its own with sections that match and near misses, and what each
 * question must find. Asked over HTTP of a server that reads published partitions.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Section } from "../../pipeline/contract/section.ts";
import { openFolder, serve } from "../world.ts";
import { publishRows } from "./published.ts";
import { headingsOf, meeting, sectionRow, tba } from "./section-rows.ts";

interface FilterRow {
  filter: string;
  rule: string;
  /** By section code: what is special about it. */
  sections: Record<string, Partial<Section>>;
  /** A query, as a client writes it, and the codes that it must find. */
  asks: [query: string, found: string[]][];
}

const lectures = ["10001", "10002", "10003", "10004", "10005", "10006"];
const departments: Record<string, Partial<Section>> = {
  "10001": { deptCode: "I&C SCI" },
  "10002": { deptCode: "ART" },
  "10003": { deptCode: "ART HIS" },
  "10004": { deptCode: "CRM/LAW" },
  "10005": { deptCode: "IC SCI" },
};
const seats = (status: string, enrolled: string, capacity: string): Partial<Section> => ({
  status,
  maxCapacity: capacity,
  numCurrentlyEnrolled: { totalEnrolled: enrolled, sectionEnrolled: "" },
});

const rows: FilterRow[] = [
  {
    filter: "ge",
    rule: "the section carries that GE category (only main sections do)",
    sections: {
      "10001": { geCategories: ["GE-2"] },
      "10002": { geCategories: ["GE-2", "GE-5B"] },
      "10003": { geCategories: [], sectionType: "Dis", units: "0" },
      "10004": { geCategories: ["GE-5A"] },
      "10005": { geCategories: ["GE-1B"] },
    },
    asks: [
      ["ge=GE-2", ["10001", "10002"]],
      ["ge=GE-5B", ["10002"]],
      ["ge=GE-5A", ["10004"]],
      ["ge=GE-1A", []],
      ["ge=ANY", ["10001", "10002", "10003", "10004", "10005"]],
      ["ge=ALL", ["10001", "10002", "10003", "10004", "10005"]],
      ["ge=", ["10001", "10002", "10003", "10004", "10005"]],
    ],
  },
  {
    filter: "department",
    rule: "equals, ignoring case; spaces ignored too (`I&CSCI` = `I&C SCI`); `ALL`/`ANY` = no filter",
    sections: departments,
    asks: [
      ["department=I%26C+SCI", ["10001"]],
      ["department=I%26CSCI", ["10001"]],
      ["department=i%26csci", ["10001"]],
      ["department=%20i%20%26%20c%20sci%20", ["10001"]],
      ["department=ART", ["10002"]],
      ["department=art", ["10002"]],
      ["department=ARTHIS", ["10003"]],
      ["department=art%20his", ["10003"]],
      ["department=CRM%2FLAW", ["10004"]],
      ["department=AR", []],
      ["department=_RT", []],
      ["department=%25", []],
      ["department=ALL", ["10001", "10002", "10003", "10004", "10005"]],
      ["department=any", ["10001", "10002", "10003", "10004", "10005"]],
      ["department=", ["10001", "10002", "10003", "10004", "10005"]],
    ],
  },
  {
    filter: "sectionCodes",
    rule: "code or inclusive range",
    sections: { "00045": {}, "10001": {}, "10002": {}, "10003": {}, "10004": {}, "20000": {} },
    asks: [
      ["sectionCodes=10002", ["10002"]],
      ["sectionCodes=10002-10003", ["10002", "10003"]],
      ["sectionCodes=10001,10003-10004", ["10001", "10003", "10004"]],
      ["sectionCodes=10001&sectionCodes=10004,10001", ["10001", "10004"]],
      ["sectionCodes=%2010002%20,%20,10003%20-%2010004", ["10002", "10003", "10004"]],
      ["sectionCodes=00045", ["00045"]],
      ["sectionCodes=00001-10001", ["00045", "10001"]],
      ["sectionCodes=10005-19999", []],
      ["sectionCodes=20000-20000", ["20000"]],
      ["sectionCodes=", ["00045", "10001", "10002", "10003", "10004", "20000"]],
      ["sectionCodes=,%20,", ["00045", "10001", "10002", "10003", "10004", "20000"]],
    ],
  },
  {
    filter: "instructorName",
    rule:
      "any instructor of the section, ignoring case. `smi` = last name (text before the comma) contains it; `SMITH,` = last name equals; " +
      "`SMITH, J` = full name starts with it",
    sections: {
      "10001": { instructors: ["SMITH, J."] },
      "10002": { instructors: ["JONES, K.", "Smith, K."] },
      "10003": { instructors: ["BLACKSMITH, J."] },
      "10004": { instructors: ["JONES, SMI."] },
      "10005": { instructors: ["STAFF"] },
      "10006": { instructors: [] },
      "10007": { instructors: ["O'LEARY_X, P.", "100%, Q."] },
      "10008": { instructors: ["MULLER, J.", "SMITH, JANE"] },
      "10009": { instructors: ["SMITHSON, J."] },
    },
    asks: [
      ["instructorName=smi", ["10001", "10002", "10003", "10008", "10009"]],
      ["instructorName=SMITH,", ["10001", "10002", "10008"]],
      ["instructorName=smith%2C%20", ["10001", "10002", "10008"]],
      ["instructorName=SMITH,%20J", ["10001", "10008"]],
      ["instructorName=smith,+j.", ["10001"]],
      ["instructorName=SMITH,%20JA", ["10008"]],
      ["instructorName=SMITH,%20X", []],
      ["instructorName=MITH,", []],
      ["instructorName=staff", ["10005"]],
      ["instructorName=STAFF,", ["10005"]],
      ["instructorName=O%27L", ["10007"]],
      ["instructorName=_", ["10007"]],
      ["instructorName=%25", ["10007"]],
      ["instructorName=", ["10001", "10002", "10003", "10004", "10005", "10006", "10007", "10008", "10009"]],
    ],
  },
  {
    filter: "building / room",
    rule: "any meeting has that building / that building and room, ignoring case",
    sections: {
      "10001": { meetings: [meeting("MWF", "10:00", "10:50", "EH 1200")] },
      "10002": { meetings: [meeting("MWF", "10:00", "10:50", "SEH 1200")] },
      "10003": { meetings: [meeting("M", "10:00", "10:50", "ALP 2300"), meeting("W", "9:00", "9:50", "EH 12")] },
      "10004": { meetings: [meeting("M", "10:00", "10:50", "ALP 1200", "HIB 100")] },
      "10005": { meetings: [tba("ON LINE")] },
      "10006": { meetings: [tba("TBA")] },
      "10007": { meetings: [meeting("M", "10:00", "10:50", "EHS 1")] },
      "10008": { meetings: [meeting("M", "10:00", "10:50", "VRTL REMOTE")] },
    },
    asks: [
      ["building=EH", ["10001", "10003"]],
      ["building=eh", ["10001", "10003"]],
      ["building=%20EH%20", ["10001", "10003"]],
      ["building=EH&room=1200", ["10001"]],
      ["building=EH&room=12", ["10003"]],
      ["building=ALP&room=100", []],
      ["building=HIB&room=100", ["10004"]],
      ["building=ON", ["10005"]],
      ["building=on&room=line", ["10005"]],
      ["building=VRTL&room=Remote", ["10008"]],
      ["building=TBA", ["10006"]],
      ["building=E", []],
      ["building=&room=", ["10001", "10002", "10003", "10004", "10005", "10006", "10007", "10008"]],
    ],
  },
  {
    filter: "division",
    rule: "LowerDiv 0–99, UpperDiv 100–199, Graduate ≥ 200 by the digits of the course number (no digits = 0)",
    sections: {
      "10001": { courseNumber: "1" },
      "10002": { courseNumber: "H99" },
      "10003": { courseNumber: "100" },
      "10004": { courseNumber: "M199L" },
      "10005": { courseNumber: "200" },
      "10006": { courseNumber: "LAB" },
      "10007": { courseNumber: "1999" },
    },
    asks: [
      ["division=LowerDiv", ["10006", "10001", "10002"]],
      ["division=UpperDiv", ["10003", "10004"]],
      ["division=Graduate", ["10005", "10007"]],
      ["division=ANY", ["10006", "10001", "10002", "10003", "10004", "10005", "10007"]],
      ["division=ALL", ["10006", "10001", "10002", "10003", "10004", "10005", "10007"]],
    ],
  },
  {
    filter: "courseNumber",
    rule: "`161` equals, ignoring case (`161` ≠ `161H`); `100-199` compares the digits, both ends included; `32A-33B` is 32 to 33",
    sections: {
      "10001": { courseNumber: "161" },
      "10002": { courseNumber: "161H" },
      "10003": { courseNumber: "H32" },
      "10004": { courseNumber: "33B" },
      "10005": { courseNumber: "34" },
      "10006": { courseNumber: "100" },
      "10007": { courseNumber: "199" },
      "10008": { courseNumber: "31" },
      "10009": { courseNumber: "1610" },
      "10010": { courseNumber: "LAB" },
    },
    asks: [
      ["courseNumber=161", ["10001"]],
      ["courseNumber=161h", ["10002"]],
      ["courseNumber=h32", ["10003"]],
      ["courseNumber=lab", ["10010"]],
      ["courseNumber=100-199", ["10006", "10001", "10002", "10007"]],
      ["courseNumber=32A-33B", ["10003", "10004"]],
      ["courseNumber=32%20-%2033", ["10003", "10004"]],
      ["courseNumber=H32-M33", ["10003", "10004"]],
      ["courseNumber=34-34", ["10005"]],
      ["courseNumber=161,31", ["10008", "10001"]],
      ["courseNumber=161H&courseNumber=31-32,161H", ["10008", "10003", "10002"]],
      ["courseNumber=0-0", ["10010"]],
      ["courseNumber=16", []],
      ["courseNumber=35-99", []],
    ],
  },
  {
    filter: "courseTitle",
    rule: "contains, ignoring case",
    sections: {
      "10001": { courseTitle: "INTRO TO BALLET" },
      "10002": { courseTitle: "100% MODERN_DANCE" },
      "10003": { courseTitle: "ROBERT'S \\ RULES" },
      "10004": { courseTitle: "ÉTUDES" },
      "10005": { courseTitle: "INTRO" },
    },
    asks: [
      ["courseTitle=ballet", ["10001"]],
      ["courseTitle=INTRO", ["10005", "10001"]],
      ["courseTitle=intro%20to", ["10001"]],
      ["courseTitle=%25", ["10002"]],
      ["courseTitle=n_d", ["10002"]],
      ["courseTitle=t%27s%20%5C", ["10003"]],
      ["courseTitle=%C3%A9tu", ["10004"]],
      ["courseTitle=intros", []],
    ],
  },
  {
    filter: "sectionType",
    rule: "equals",
    sections: {
      "10001": { sectionType: "Lec" },
      "10002": { sectionType: "Dis" },
      "10003": { sectionType: "Tap" },
      "10004": { sectionType: "Tut" },
    },
    asks: [
      ["sectionType=Lec", ["10001"]],
      ["sectionType=Tut", ["10004"]],
      ["sectionType=Qiz", []],
      ["sectionType=ANY", ["10001", "10002", "10003", "10004"]],
      ["sectionType=ALL", ["10001", "10002", "10003", "10004"]],
    ],
  },
  {
    filter: "units",
    rule: "number: a fixed-unit section with that number of units (`4` = `4.0`); `VAR`: a variable-unit section (`1-4`)",
    sections: {
      "10001": { units: "4" },
      "10002": { units: "4.0" },
      "10003": { units: "1-4" },
      "10004": { units: "2.0-4" },
      "10005": { units: "0" },
      "10006": { units: "1.3" },
      "10007": { units: "14" },
      "10008": { units: "0.5" },
      "10009": { units: "" },
    },
    asks: [
      ["units=4", ["10001", "10002"]],
      ["units=4.0", ["10001", "10002"]],
      ["units=1", []],
      ["units=VAR", ["10003", "10004"]],
      ["units=0", ["10005"]],
      ["units=1.3", ["10006"]],
      ["units=.5", ["10008"]],
      ["units=0.50", ["10008"]],
      ["units=VAR,14", ["10003", "10004", "10007"]],
      ["units=0&units=1.3,0", ["10005", "10006"]],
      ["units=3", []],
    ],
  },
  {
    filter: "days",
    rule: "letters read greedily as Su, M, Tu, W, Th, F, Sa; the section's meeting days together include all of them",
    sections: {
      "10001": { meetings: [meeting("MWF", "10:00", "10:50", "ALP 1")] },
      "10002": { meetings: [meeting("TuTh", "10:00", "10:50", "ALP 1")] },
      "10003": { meetings: [meeting("M", "10:00", "10:50", "ALP 1"), meeting("W", "12:00", "12:50", "ALP 1")] },
      "10004": { meetings: [meeting("SaSu", "10:00", "10:50", "ALP 1")] },
      "10005": { meetings: [tba("TBA")] },
      "10006": { meetings: [meeting("", "10:00", "10:50", "ALP 1")] },
      "10007": { meetings: [meeting("Th", "10:00", "10:50", "ALP 1"), tba("TBA")] },
    },
    asks: [
      ["days=M", ["10001", "10003"]],
      ["days=MW", ["10001", "10003"]],
      ["days=WM", ["10001", "10003"]],
      ["days=M,W", ["10001", "10003"]],
      ["days=M&days=W", ["10001", "10003"]],
      ["days=M%20W", ["10001", "10003"]],
      ["days=MWF", ["10001"]],
      ["days=Tu", ["10002"]],
      ["days=Th", ["10002", "10007"]],
      ["days=TuTh", ["10002"]],
      ["days=Sa", ["10004"]],
      ["days=SuSa", ["10004"]],
      ["days=MTu", []],
      ["days=", ["10001", "10002", "10003", "10004", "10005", "10006", "10007"]],
    ],
  },
  {
    filter: "startTime / endTime",
    rule:
      "`h:mmam`, `h:mm pm` (any case) or 24-hour `HH:mm`. Every meeting starts at or after / ends at or before; " +
      "a section with a TBA time does not match",
    sections: {
      "10001": { meetings: [meeting("M", "9:00", "9:50", "ALP 1")] },
      "10002": { meetings: [meeting("M", "13:30", "14:50", "ALP 1")] },
      "10003": { meetings: [meeting("M", "9:00", "9:50", "ALP 1"), meeting("W", "18:00", "20:50", "ALP 1")] },
      "10004": { meetings: [tba("ON LINE")] },
      "10005": { meetings: [meeting("M", "13:30", "14:50", "ALP 1"), tba("ON LINE")] },
      "10006": { meetings: [meeting("M", "0:00", "0:50", "ALP 1")] },
      "10007": { meetings: [meeting("M", "12:00", "12:50", "ALP 1")] },
      "10008": { meetings: [meeting("M", "23:00", "25:50", "ALP 1")] },
    },
    asks: [
      ["startTime=9:00am", ["10001", "10002", "10003", "10007", "10008"]],
      ["startTime=9:00", ["10001", "10002", "10003", "10007", "10008"]],
      ["startTime=09:01", ["10002", "10007", "10008"]],
      ["startTime=1:30pm", ["10002", "10008"]],
      ["startTime=1:30+PM", ["10002", "10008"]],
      ["startTime=13:30", ["10002", "10008"]],
      ["startTime=1:31Pm", ["10008"]],
      ["startTime=12:00am", ["10001", "10002", "10003", "10006", "10007", "10008"]],
      ["startTime=0:00", ["10001", "10002", "10003", "10006", "10007", "10008"]],
      ["startTime=12:00pm", ["10002", "10007", "10008"]],
      ["endTime=9:50am", ["10001", "10006"]],
      ["endTime=9:49am", ["10006"]],
      ["endTime=12:50+pm", ["10001", "10006", "10007"]],
      ["endTime=20:49", ["10001", "10002", "10006", "10007"]],
      ["endTime=8:50pm", ["10001", "10002", "10003", "10006", "10007"]],
      ["endTime=23:59", ["10001", "10002", "10003", "10006", "10007"]],
      ["startTime=9:00am&endTime=3:00pm", ["10001", "10002", "10007"]],
      ["startTime=&endTime=", ["10001", "10002", "10003", "10004", "10005", "10006", "10007", "10008"]],
    ],
  },
  {
    filter: "maxCapacity",
    rule: "`>n`, `<n`, `=n` against the integer capacity",
    sections: {
      "10001": { maxCapacity: "9" },
      "10002": { maxCapacity: "30" },
      "10003": { maxCapacity: "100" },
      "10004": { maxCapacity: "" },
      "10005": { maxCapacity: "0" },
    },
    asks: [
      ["maxCapacity=%3E30", ["10003"]],
      ["maxCapacity=%3C30", ["10001", "10005"]],
      ["maxCapacity=%3D30", ["10002"]],
      ["maxCapacity==30", ["10002"]],
      ["maxCapacity=%3E%209", ["10002", "10003"]],
      ["maxCapacity=%3C1", ["10005"]],
      ["maxCapacity=%3D030", ["10002"]],
    ],
  },
  {
    filter: "fullCourses",
    rule:
      "SkipFull: status not FULL and not Waitl · SkipFullWaitlist: status not FULL · FullOnly: FULL or Waitl · OverEnrolled: enrolled > capacity; " +
      "`Overenrolled` is accepted as the same",
    sections: {
      "10001": seats("OPEN", "10", "30"),
      "10002": seats("Waitl", "30", "30"),
      "10003": seats("FULL", "31", "30"),
      "10004": seats("NewOnly", "9", "30"),
      "10005": seats("OPEN", "100", "99"),
      "10006": seats("FULL", "0", "0"),
    },
    asks: [
      ["fullCourses=SkipFull", ["10001", "10004", "10005"]],
      ["fullCourses=SkipFullWaitlist", ["10001", "10002", "10004", "10005"]],
      ["fullCourses=FullOnly", ["10002", "10003", "10006"]],
      ["fullCourses=OverEnrolled", ["10003", "10005"]],
      ["fullCourses=Overenrolled", ["10003", "10005"]],
      ["fullCourses=ANY", lectures],
      ["fullCourses=ALL", lectures],
      ["fullCourses=", lectures],
    ],
  },
  {
    filter: "cancelledCourses",
    rule: "Exclude (default), Include, Only",
    sections: {
      "10001": {},
      "10002": { cancelled: true, sectionComment: "<p>***  CANCELLED  ***</p>" },
      // The bare word in prose is no marker.
      "10003": { sectionComment: "the trip was CANCELLED last year" },
    },
    asks: [
      ["", ["10001", "10003"]],
      ["cancelledCourses=", ["10001", "10003"]],
      ["cancelledCourses=Exclude", ["10001", "10003"]],
      ["cancelledCourses=Include", ["10001", "10002", "10003"]],
      ["cancelledCourses=Only", ["10002"]],
      ["cancelledCourses=ANY", ["10001", "10002", "10003"]],
      ["cancelledCourses=ALL", ["10001", "10002", "10003"]],
    ],
  },
  {
    filter: "includeCoCourses",
    rule:
      "adds every section of the matched sections' courses, same term, cancelledCourses still applied; a course is department, number and title; " +
      "it works with any filter, not only `ge`",
    sections: {
      "10001": { geCategories: ["GE-2"] },
      "10002": { sectionType: "Dis", units: "0", meetings: [tba("TBA")] },
      "10003": { sectionType: "Lab", units: "0", cancelled: true, sectionComment: "*** CANCELED ***" },
      "10004": { courseTitle: "MOVEMENT II", sectionType: "Dis" },
      "10005": { courseNumber: "10A", sectionType: "Dis" },
      "10006": { deptCode: "DRAMA", sectionType: "Dis" },
      "10007": { courseNumber: "20", geCategories: ["GE-3"], cancelled: true, sectionComment: "*** CANCELLED ***" },
      "10008": { courseNumber: "20", sectionType: "Dis" },
    },
    asks: [
      ["ge=GE-2", ["10001"]],
      ["ge=GE-2&includeCoCourses=true", ["10001", "10002"]],
      ["ge=GE-2&includeCoCourses=true&cancelledCourses=Include", ["10001", "10002", "10003"]],
      // Only: the matched section has to be cancelled itself.
      ["ge=GE-2&includeCoCourses=true&cancelledCourses=Only", []],
      ["ge=GE-3&includeCoCourses=true", []],
      ["ge=GE-3&includeCoCourses=true&cancelledCourses=Only", ["10007"]],
      ["ge=GE-3&includeCoCourses=true&cancelledCourses=Include", ["10007", "10008"]],
      ["sectionCodes=10002&includeCoCourses=true", ["10001", "10002"]],
      ["startTime=9:00am&sectionType=Lec&includeCoCourses=true", ["10001", "10002"]],
      ["courseTitle=movement%20ii&includeCoCourses=true", ["10004"]],
      ["department=drama&includeCoCourses=true", ["10006"]],
    ],
  },
  {
    filter: "several",
    rule: "Filters are ANDed; values inside one parameter are ORed",
    sections: {
      "10001": { courseNumber: "161", units: "4" },
      "10002": { courseNumber: "161", units: "2" },
      "10003": { courseNumber: "162", units: "4" },
      "10004": { courseNumber: "163", units: "2" },
    },
    asks: [
      ["courseNumber=161&units=4", ["10001"]],
      ["courseNumber=161,162&units=4", ["10001", "10003"]],
      ["courseNumber=161,162&units=4,2", ["10001", "10002", "10003"]],
      ["sectionCodes=10002,10003,10004&courseNumber=161-162&units=2", ["10002"]],
      ["courseNumber=161&units=4&instructorName=nobody", []],
    ],
  },
];

describe("a row for each filter of the cached path", () => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  // Each row has a year of its own.
  const yearOf = (row: FilterRow) => String(2001 + rows.indexOf(row));

  beforeAll(async () => {
    folder = await openFolder();
    const sections = rows.flatMap((row) =>
      Object.entries(row.sections).map(([sectionCode, change]) =>
        sectionRow({ year: yearOf(row), sectionCode, ...change }),
      ),
    );
    await publishRows(folder.artifacts, { sections, headings: headingsOf(sections) });
    server = await serve(folder.env);
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });

  /** The codes of an answer, in its order. */
  const ask = async (year: string, query: string): Promise<string[]> => {
    const tree = await server.json<object>(`/schedule?year=${year}&quarter=Fall&cacheOnly=true&${query}`);
    return [...JSON.stringify(tree).matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code = ""]) => code);
  };

  it.each(rows)("$filter: $rule", async (row) => {
    for (const [query, found] of row.asks)
      expect({ query, found: (await ask(yearOf(row), query)).sort() }).toEqual({ query, found: [...found].sort() });
    // An unfiltered question finds everything that is not cancelled: each row's misses are really there.
    const kept = Object.entries(row.sections).filter(([, change]) => !change.cancelled);
    expect((await ask(yearOf(row), "")).sort()).toEqual(kept.map(([code]) => code).sort());
  });

  it("without cacheOnly the same answer comes from the cache, once a starred parameter is given", async () => {
    const path = "/schedule?year=2001&quarter=Fall&ge=GE-2";
    expect(await server.json(path)).toEqual(await server.json(`${path}&cacheOnly=true&cache=true`));
  });

  it("a long list: 1,200 codes in one question, each a value that a section could have", async () => {
    const codes = Array.from({ length: 1_200 }, (_, i) => String(10_002 + 7 * i));
    expect(await ask("2003", `sectionCodes=${codes.join(",")}`)).toEqual(["10002"]);
  });
});
