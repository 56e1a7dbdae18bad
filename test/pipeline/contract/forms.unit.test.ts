import { expect, it } from "vitest";
import { z } from "zod";
import * as forms from "../../../pipeline/contract/forms.ts";
import { shortenedNames } from "../../../pipeline/contract/rows/fields.ts";
import { STATUSES } from "../../../pipeline/contract/vocabulary.ts";

const VALUES: Readonly<Record<string, readonly [inside: readonly string[], outside: readonly string[]]>> = {
  DEPARTMENT_CODE: [
    ["TIDES", "I&C SCI", "CRM/LAW", "PM&R"],
    ["Tides", " TIDES", ""],
  ],
  COURSE_NUMBER: [
    ["7", "H7", "M118L", "190W"],
    ["seven", "7-8", ""],
  ],
  UNITS: [
    ["4", "1.3", ".5", "1-4", "2.0-4"],
    ["four", "4 units", "-4"],
  ],
  SHORTENED_NAME: [
    ["VANE, M.", "O'HARE, J.", "GARZA RODRIGUE, A.", "LEE, JH", "STAFF"],
    ["Vane, Mira", "MIRA VANE", "vane, m.", "VANE"],
  ],
  WEEK_DAYS: [
    ["MWF", "TuTh", "SuSa"],
    ["TR", "RSa", "M-F", "mwf"],
  ],
  PLACE: [
    ["ALP 2300", "ON LINE", "TBA", "HICF 100K"],
    ["Hall 100", "ALP  ", ""],
  ],
  HOUR: [
    ["6", "13", "25"],
    ["1", "26", "13h"],
  ],
  MINUTE: [
    ["0", "05", "59"],
    ["60", "-1"],
  ],
  COUNT: [
    ["0", "250"],
    ["n/a", "1,200", "many"],
  ],
  WAITLIST: [
    ["12", "n/a", "off(3)"],
    ["off", "twelve"],
  ],
  RESTRICTIONS: [
    ["A", "A and L", "B or K"],
    ["Prerequisite required", "A, L", "a"],
  ],
  NETID: [
    ["mvane", "m.vane2"],
    ["mvane@example.edu", "MVANE", ""],
  ],
  EMAIL: [["mvane@example.edu"], ["mvane", "mvane at example.edu"]],
  AVERAGE: [
    ["0.0", "3.72", "3.7", "4.0"],
    ["37.20", "3.725", "5.0"],
  ],
  TIME_RANGE: [
    ["9:00-10:50a", "11:00a-12:50p"],
    ["9-10", "9:00 to 10:00"],
  ],
  SECTION_CODE: [
    ["00500", "34160"],
    ["500", "341600"],
  ],
  COURSE_LEVEL: [
    ["Lower Division (1-99)", "Graduate/Professional Only (200+)"],
    ["LowerDiv", "1-99"],
  ],
};

it.each(Object.entries(VALUES))("%s tells what is written so from what is not", (name, [inside, outside]) => {
  const pattern = (forms as unknown as Record<string, RegExp>)[name] as RegExp;
  const whole = new RegExp(`^(?:${pattern.source})$`);
  expect([inside.filter((text) => !whole.test(text)), outside.filter((text) => whole.test(text))]).toEqual([[], []]);
});

it("every pattern is among them, and a description keeps the form", () => {
  const patterns = Object.entries(forms).flatMap(([name, value]) => ((value as unknown) instanceof RegExp ? name : []));
  expect(patterns.toSorted()).toEqual(Object.keys(VALUES).toSorted());
  expect(forms.formOf(forms.formed(z.string(), forms.oneOf(STATUSES)).describe("status"))).toBe(
    "OPEN|Waitl|FULL|NewOnly",
  );
  expect(forms.formOf(shortenedNames())).toBeUndefined();
});
