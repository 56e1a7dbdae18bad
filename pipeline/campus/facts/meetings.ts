/** When and where sections meet, from the meetings of Fall 2020 before the term; rounded. */

/** Share of meetings whose time is TBA, by type. */
// oxfmt-ignore
export const TIME_TBA_SHARES: Readonly<Record<string, number>> = {
  Lec: 0.107, Dis: 0.092, Sem: 0.3, Tut: 0.955, Fld: 0.973, Res: 0.984, Lab: 0.3, Stu: 0.47, Col: 0.214, Act: 0.95,
};

/** Days of timed meetings by type. */
// oxfmt-ignore
export const DAYS_BY_TYPE: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  Lec: [["TuTh", 621], ["MWF", 409], ["MW", 147], ["M", 84], ["W", 81], ["Tu", 75], ["Th", 40], ["MTuWThF", 37], ["F", 28], ["MTuWTh", 14]],
  Dis: [["W", 435], ["F", 415], ["M", 343], ["Tu", 310], ["Th", 289], ["TuTh", 91], ["MW", 50], ["WF", 7], ["MF", 3], ["MWF", 2]],
  Sem: [["TuTh", 179], ["MWF", 118], ["W", 93], ["MW", 83], ["Tu", 82], ["M", 63], ["Th", 63], ["F", 42], ["WF", 20], ["Sa", 5]],
  Lab: [["Tu", 119], ["Th", 112], ["F", 110], ["W", 96], ["M", 61], ["TuTh", 34], ["MWF", 20], ["MW", 17], ["WF", 6], ["MTu", 3]],
  Stu: [["TuTh", 58], ["MW", 33], ["W", 15], ["F", 13], ["MWF", 11], ["MTuWThFSa", 8], ["Tu", 7], ["Th", 7], ["M", 6], ["SuMTuWThF", 4]],
};
// oxfmt-ignore
export const OTHER_DAYS = [["F", 47], ["M", 40], ["W", 21], ["Tu", 20], ["TuTh", 19], ["Th", 23], ["MWF", 7], ["Su", 1], ["SuSa", 1]] as const;
// oxfmt-ignore
export const SUMMER_DAYS = [["MW", 30], ["TuTh", 30], ["MTuWTh", 20], ["MWF", 10], ["MTuWThF", 6], ["W", 2], ["F", 2]] as const;

/** Lengths in minutes by the number of meeting days a week. */
// oxfmt-ignore
export const LENGTHS: Readonly<Record<"one" | "two" | "more", readonly (readonly [number, number])[]>> = {
  one: [[50, 62], [170, 18], [110, 12], [80, 3], [230, 3], [140, 1], [200, 1]],
  two: [[80, 82], [110, 8], [50, 6], [170, 3], [140, 1]],
  more: [[50, 90], [110, 4], [80, 6]],
};
// oxfmt-ignore
export const SUMMER_LENGTHS = [[110, 35], [140, 15], [170, 30], [50, 12], [80, 8]] as const;

/**
 * Start times in minutes after midnight: meetings of 80 minutes start every hour and a half, all others on the hour.
 */
// oxfmt-ignore
export const HALF_HOUR_STARTS = [[480, 72], [570, 167], [660, 187], [750, 167], [840, 149], [930, 136], [1020, 125], [1110, 26]] as const;
// oxfmt-ignore
export const HOUR_STARTS = [
  [420, 20], [480, 180], [540, 300], [600, 340], [660, 330], [720, 320], [780, 420], [840, 420], [900, 300], [960, 290], [1020, 210], [1080, 140],
  [1140, 130], [1200, 37],
] as const;
/** A few begin at half past an unusual hour. */
// oxfmt-ignore
export const ODD_STARTS = [[510, 19], [630, 14], [690, 10], [810, 18], [870, 27], [990, 12], [1050, 9]] as const;

/**
 * Share of meetings in a second room at the same time, of sections with a second meeting, of those with days TBA but a
 * real time.
 */
// oxfmt-ignore
export const SECOND_ROOM_SHARE = 0.015;
// oxfmt-ignore
export const SECOND_MEETING_SHARE = 0.03;
// oxfmt-ignore
export const UNKNOWN_DAYS_SHARE = 0.0006;

/** Share of timed meetings online: before 2020, in the remote terms (2020 Spring to 2021 Spring), and since. */
// oxfmt-ignore
export const ONLINE_SHARES = { before: 0.014, remote: 0.93, since: 0.12 } as const;
/** Online labels: building and room. */
// oxfmt-ignore
export const ONLINE_PLACE = ["ON", "LINE"] as const;
// oxfmt-ignore
export const REMOTE_PLACE = ["VRTL", "REMOTE"] as const;

/** Building codes → meetings. */
// oxfmt-ignore
export const BUILDINGS: readonly (readonly [string, number])[] = [
  ["RH", 494], ["HH", 421], ["SSL", 411], ["DBH", 302], ["FRH", 287], ["ALP", 273], ["SST", 236], ["MSTB", 234], ["HICF", 192], ["HIB", 160],
  ["ICS", 153], ["SSPA", 126], ["PSCB", 120], ["SSTR", 118], ["NS1", 116], ["SH", 113], ["PCB", 110], ["ET", 108], ["NS2", 81], ["IAB", 80],
  ["SBSG", 78], ["ELH", 77], ["HG", 70], ["MPAA", 65], ["EDUC", 64], ["BS3", 61], ["HSLH", 58], ["SE2", 57], ["MM", 53], ["SSPB", 51], ["SB1", 45],
  ["SE", 41], ["SB2", 41], ["CAC", 40], ["PSTU", 36], ["EH", 24], ["MDE", 24], ["SSH", 23], ["PSLH", 23], ["ART", 23], ["SSLH", 17], ["STU4", 13],
  ["KH", 8], ["ICS2", 2], ["LAW", 1],
];
/** Room numbers; a few carry a letter. */
// oxfmt-ignore
export const ROOMS = ["100", "101", "107", "112", "120", "122", "130", "143", "155", "174", "180", "184", "188", "206", "209", "220A", "220B", "238", "1165", "1170", "1200", "1300", "1420", "1500", "2108", "2300"] as const;
// oxfmt-ignore
export const ROOMS_PER_BUILDING = 14;
