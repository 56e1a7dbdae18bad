/** Distributions of people, from a directory of 1,820, and the syllables of invented names. */

/** Titles → people. */
// oxfmt-ignore
export const TITLES = [
  ["Professor", 462], ["Associate Professor", 212], ["Assistant Professor", 187], ["Professor Emeritus", 132], ["Lecturer", 62], ["", 56],
  ["Distinguished Professor", 52], ["Professor Emerita", 23], ["Chancellor's Professor", 23], ["Assistant Professor of Teaching", 21],
  ["Professor of Teaching", 17], ["Associate Professor of Teaching", 16], ["Adjunct Professor", 13], ["Lecturer (Composition)", 12],
  ["Professor & Chair", 12], ["HS Assistant Clinical Professor", 10],
] as const;

/**
 * Share of people who share another person's last name and initial (43 of 1,769 short names), who have no address, who
 * also belong to a second department.
 */
export const SHARED_NAME_SHARE = 0.024;
export const NO_ADDRESS_SHARE = 0.003;
export const SECOND_DEPARTMENT_SHARE = 0.15;
/** People who teach without being in the directory (lecturers, assistants), for each person who is in it. */
export const OTHERS_PER_PERSON = 0.6;
/** The schedule truncates last names to this length. */
export const LAST_NAME_LENGTH = 14;

const list = (text: string): readonly string[] => text.split(" ");

// oxfmt-ignore
export const LAST_BEGINNINGS = list("Vel Tan Mor Bres Ond Rod Kal Sim Dra Fen Gor Hal Ist Jor Lun Mir Nal Per Quel Ras Sor Tav Ulm Var Wen Yar Zel Cor Bal Dur");
export const LAST_MIDDLES = list("a e i o u ar en il or ur ava elo imi ola usta ent ond ist");
// oxfmt-ignore
export const LAST_ENDINGS = list("ren dros vik mara lund tash dell quist bren sett moor dane fort lian nova pell rick sund tell wick zar gan hurst");
// oxfmt-ignore
export const FIRST_NAMES = list("Aurelio Bexa Calder Dorin Elvane Fiora Garin Hestia Ilmar Junia Kestrel Lorin Maristel Nerys Orsino Pavla Quill Rosmer Selke Tamsin Ursin Veda Wendel Xanthe Ysolde Zoran Brannoc Cadence Delphin Emeric");
