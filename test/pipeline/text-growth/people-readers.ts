/**
 * Calls the functions of `pipeline/normalize/people` with a text, whose lines are people if a function takes several.
 */
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { createPeople } from "../../../pipeline/normalize/people/candidates.ts";
import { createDepartmentNames, departmentNameKey } from "../../../pipeline/normalize/people/department-names.ts";
import { choosePeople } from "../../../pipeline/normalize/people/directory-match.ts";
import { addListing, toFaculty } from "../../../pipeline/normalize/people/faculty.ts";
import { listingAndPerson, toDirectoryInstructors } from "../../../pipeline/normalize/people/instructor.ts";
import { isNobody } from "../../../pipeline/normalize/people/nobody.ts";
import { splitPeople } from "../../../pipeline/normalize/people/people-in-cell.ts";
import * as personName from "../../../pipeline/normalize/people/person-name.ts";
import { isSamePerson, shareAPerson } from "../../../pipeline/normalize/people/same-person.ts";
import { toInstructors, toSheetInstructors, toShortName } from "../../../pipeline/normalize/people/short-name.ts";
import * as shortened from "../../../pipeline/normalize/people/shortened-name.ts";
import { reconcile } from "../../../pipeline/normalize/reconcile.ts";
import { distinctIn, linesIn, reads, type TextReaders } from "./reader.ts";

const tally = () => createTally("calendar");

export const NAMES = [
  "O’Vane-Lor, Mira K.",
  "LEE, J.K.",
  'Prof. Mira "Mi" (Em) de la Vane III',
  "Vane J. / Kim S.; THE STAFF",
];

export const directory = (text: string) => {
  const people = distinctIn(text).map((name, i) => ({
    name,
    netid: `n${i}`,
    title: name,
    department: name,
    email: "",
  }));
  const member = { name: text, schools: ["A"], relatedDepartments: ["MATH"] };
  return toDirectoryInstructors([{ member, people }], new Map(), tally());
};

export const PEOPLE_READERS: TextReaders = {
  "normalize/people/candidates.ts": {
    createPeople: reads(
      (text) =>
        createPeople(
          distinctIn(text).map((line) => ({ netid: line, shortenedName: text.slice(0, 9), departments: [line] })),
        ).named(text, text),
      ...NAMES,
    ),
  },
  "normalize/people/department-names.ts": {
    departmentNameKey: reads(departmentNameKey, "Criminology, Law &amp; Society & É"),
    createDepartmentNames: reads((text) => createDepartmentNames([[text, text]])(text), "Law & Society"),
  },
  "normalize/people/directory-match.ts": {
    choosePeople: reads(
      (text) =>
        choosePeople(`${text} Lor`, [{ netid: text, name: `${text} M ${text} Lor`, nickname: text, isStudent: false }]),
      ...NAMES,
    ),
  },
  "normalize/people/faculty.ts": {
    toFaculty: reads((text) => toFaculty([{ school: text, departments: ["A"], faculty: distinctIn(text) }]), ...NAMES),
    addListing: reads(
      (text) => addListing({ schools: [], relatedDepartments: [] }, distinctIn(text), distinctIn(text)),
      "I&C SCI\nMATH",
    ),
  },
  "normalize/people/instructor.ts": {
    listingAndPerson: reads(
      (text) =>
        reconcile(
          listingAndPerson([{ code: text, name: text }]),
          { name: "A", schools: [], relatedDepartments: linesIn(text) },
          { name: "A", netid: "a", title: "", department: text, email: "" },
        ),
      "Arts - Dance & Law",
    ),
    toDirectoryInstructors: reads(directory, ...NAMES),
  },
  "normalize/people/nobody.ts": {
    isNobody: reads(isNobody, "T.B.A. / N/A", "THE STAFF, T.", "UNKNOWN INSTRU", ...NAMES),
  },
  "normalize/people/people-in-cell.ts": {
    splitPeople: reads(splitPeople, "VANE, IDA, MOSS, ALDO", "Vane I. Moss A. & Lor B; STAFF", ...NAMES),
  },
  "normalize/people/person-name.ts": {
    nameWords: reads(personName.nameWords, ...NAMES),
    toFacultyName: reads(personName.toFacultyName, "Mira Vane III, Ph.D.", ...NAMES),
    isUpperCase: reads(personName.isUpperCase, ...NAMES),
    toProperCase: reads(personName.toProperCase, "MIRA O'VANE-LOR", ...NAMES),
    spellingsOf: reads(personName.spellingsOf, ...NAMES),
  },
  "normalize/people/same-person.ts": {
    isSamePerson: reads((text) => isSamePerson(text, `${text} A`), ...NAMES),
    shareAPerson: reads((text) => shareAPerson(["VANE, I."], linesIn(text)), ...NAMES),
  },
  "normalize/people/short-name.ts": {
    toShortName: reads(toShortName, "Vane J. K", "Vane, M.K., Jr.", ...NAMES),
    toInstructors: reads((text) => toInstructors([text, ...linesIn(text)]), "VANE, J.K. - L", ...NAMES),
    toSheetInstructors: reads((text) => toSheetInstructors(text), "Lee J. | Kim S. & Vane A. and B", ...NAMES),
  },
  "normalize/people/shortened-name.ts": {
    createSeenNames: reads((text) => shortened.createSeenNames([[text, new Map()]]), ...NAMES),
    shortenName: reads((text) => shortened.shortenName(text, [text], new Map()), ...NAMES),
    cutLastName: reads(shortened.cutLastName, ...NAMES),
    usualForm: reads((text) => shortened.usualForm(text.split(" ")), ...NAMES),
  },
};
