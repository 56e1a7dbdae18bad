/** Filters of the schedule endpoint that look at a section's course and at what kind of section it is. */
import { expect, it } from "vitest";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import { testFilters } from "./schedule-filter-rows.ts";

const departments: Record<string, Partial<Section>> = {
  "10001": { deptCode: "I&C SCI" },
  "10002": { deptCode: "ART" },
  "10003": { deptCode: "ART HIS" },
  "10004": { deptCode: "CRM/LAW" },
  "10005": { deptCode: "IC SCI" },
};
const asked = testFilters([
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
]);

it("without cacheOnly the same answer comes from the cache, once a starred parameter is given", async () => {
  const path = `/schedule?year=${asked.yearOf("ge")}&quarter=Fall&ge=GE-2`;
  expect(await asked.json(path)).toEqual(await asked.json(`${path}&cacheOnly=true&cache=true`));
});

it("a long list: 1,200 codes in one question, each a value that a section could have", async () => {
  const codes = Array.from({ length: 1_200 }, (_, i) => String(10_002 + 7 * i));
  expect(await asked.ask("sectionCodes", `sectionCodes=${codes.join(",")}`)).toEqual(["10002"]);
});
