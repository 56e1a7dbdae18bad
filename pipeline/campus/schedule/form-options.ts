/** The fixed lists of the search form: value and label. */

export type Option = readonly [value: string, label: string];

export const BREADTH: readonly Option[] = [
  ["ANY", "Do not filter for General Education (GE) categories"],
  ["GE-1A", "GE Ia: Lower Division Writing"],
  ["GE-1B", "GE Ib: Upper Division Writing"],
  ["GE-2", "GE II: Science and Technology"],
  ["GE-3", "GE III: Social and Behavioral Sciences"],
  ["GE-4", "GE IV: Arts and Humanities"],
  ["GE-5A", "GE Va: Quantitative Literacy"],
  ["GE-5B", "GE Vb: Formal Reasoning"],
  ["GE-6", "GE VI: Language other than English"],
  ["GE-7", "GE VII: Multicultural Studies"],
  ["GE-8", "GE VIII: International/Global Issues"],
];

export const DIVISIONS: readonly Option[] = [
  ["ANY", "Any course division"],
  ["0xx", "Lower Division only"],
  ["1xx", "Upper Division only"],
  ["2xx", "Graduate/Professional only"],
];

export const CLASS_TYPES: readonly Option[] = [
  ["ALL", "All Course Types"],
  ["ACT", "Activity"],
  ["COL", "Colloquium"],
  ["DIS", "Discussion"],
  ["FLD", "Field Work"],
  ["LAB", "Laboratory"],
  ["LEC", "Lecture"],
  ["QIZ", "Quiz"],
  ["RES", "Research"],
  ["SEM", "Seminar"],
  ["STU", "Studio"],
  ["TAP", "Tutorial Assistance Program"],
  ["TUT", "Tutorial"],
];

export const MODALITIES: readonly Option[] = [
  ["", " "],
  ["I", "In-Person"],
  ["O", "Online"],
];

export const HOURS: readonly Option[] = [
  ["", " "],
  ...Array.from({ length: 23 }, (_, i): Option => {
    const text = `${(i % 12) + 1}:00${i < 11 || i === 23 ? "am" : "pm"}`;
    return [text, text];
  }),
];

export const FULL: readonly Option[] = [
  ["ANY", " "],
  ["SkipFullWaitlist", "Include full courses if space on waitlist"],
  ["SkipFull", "Skip courses that are full"],
  ["FullOnly", "Show only full or waitlisted courses"],
  ["Overenrolled", "Show only courses that are over-enrolled"],
];

export const CANCELLED: readonly Option[] = [
  ["Exclude", "Exclude cancelled courses"],
  ["Include", "Include cancelled courses"],
  ["Only", "Only show cancelled courses"],
];
