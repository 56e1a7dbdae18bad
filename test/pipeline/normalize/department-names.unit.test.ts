import { describe, expect, it } from "vitest";
import { createDepartmentNames } from "../../../pipeline/normalize/people/department-names.ts";

describe("a department's name", () => {
  const PAIRS = [
    ["Information and Computer Science", "I&C SCI"],
    ["Chicano/Latino Studies", "CHC/LAT"],
    ["Women's Studies", "WOMN ST"],
    ["Français", "FRENCH"],
    ["Public Health", "PUBHLTH"],
    ["Public Health", "PUB HLTH"],
    ["Physics", "PHYSICS"],
    ["Physics and Astronomy", "PHYSICS"],
    ["Physics", "PHYSICS"],
    ["Studio Art", "ART"],
    ["***", "STARS"],
  ] as const;
  const names = (name: string) => createDepartmentNames(PAIRS)(name);

  it.each([
    ["Information and Computer Science", "I&C SCI"],
    ["INFORMATION & COMPUTER SCIENCE", "I&C SCI"],
    ["Information &amp; Computer  Science", "I&C SCI"],
    ["Chicano Latino Studies", "CHC/LAT"],
    ["Womens Studies", "WOMN ST"],
    ["Francais", "FRENCH"],
    ["Physics*", "PHYSICS"],
    ["physics & astronomy", "PHYSICS"],
  ])("is compared by its letters: %s", (name, code) => {
    expect(names(name)).toBe(code);
  });

  it.each([
    ["I&C SCI", "I&C SCI"],
    ["i&csci", "I&C SCI"],
    ["ART", "ART"],
    ["Art", "ART"],
  ])("may be its code: %s", (name, code) => {
    expect(names(name)).toBe(code);
  });

  it.each(["Public Health", "Computer Science", "Art History", "", "&", "constructor"])(
    "%o finds no single department",
    (name) => {
      expect(names(name)).toBeUndefined();
    },
  );
});
