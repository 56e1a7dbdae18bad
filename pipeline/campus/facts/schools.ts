/** Schools: full names, order codes, and ended departments that the form still lists. */

/** The school of a department fact → its full name. The position determines the school's code in the XML. */
export const SCHOOL_NAMES: Readonly<Record<string, string>> = {
  Arts: "School of the Arts",
  "Biological Sciences": "School of Biological Sciences",
  Business: "School of Business",
  Education: "School of Education",
  Engineering: "School of Engineering",
  Humanities: "School of Humanities",
  "Information and Computer Sciences": "School of Information and Computer Sciences",
  Law: "School of Law",
  Medicine: "School of Medicine",
  Nursing: "School of Nursing",
  "Pharmacy and Pharmaceutical Sciences": "School of Pharmacy and Pharmaceutical Sciences",
  "Physical Sciences": "School of Physical Sciences",
  "Public Health": "Program in Public Health",
  "Social Ecology": "School of Social Ecology",
  "Social Sciences": "School of Social Sciences",
  "Undergraduate Education": "Division of Undergraduate Education",
};

/**
 * Entries of the form for departments that ended before the first term of the service: code, name, the suffix that says
 * so.
 */
export const RETIRED_DEPARTMENTS = [
  ["ENVIRON", "Environmental Health, Science, and Policy", "until 2011 Spg"],
  ["RAD SCI", "Radiological Sciences", "until 2012 Spg"],
  ["STU ART", "Studio Art", "until 2013 FSm"],
] as const;

/** Departments that share a page in the catalogue: the page's name → codes. Its faculty teaches for all of them. */
export const SHARED_PAGES: Readonly<Record<string, readonly string[]>> = {
  "Department of East Asian Studies": ["CHINESE", "EAS", "JAPANSE", "KOREAN", "VIETMSE"],
  "Department of European Languages and Studies": ["EURO ST", "FRENCH", "GERMAN", "ITALIAN", "RUSSIAN"],
  "Department of Classics": ["CLASSIC", "GREEK", "LATIN"],
  "Department of English": ["COM LIT", "CRITISM", "ENGLISH", "LIT JRN", "WRITING"],
  "Department of Computer Science": ["COMPSCI", "I&C SCI"],
  "Department of Informatics": ["GDIM", "IN4MATX", "SWE"],
  "Department of Language Science": ["LSCI", "COGS", "PSYCH"],
  "Department of Global and International Studies": ["ARABIC", "ARMN", "GLBLCLT", "IRAN", "PERSIAN"],
};
