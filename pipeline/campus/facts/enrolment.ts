/** How sections fill, from the daily counts of Winter 2018 (9,522 sections) and pages of 2015 to 2021; rounded. */

/**
 * Mean share of the final enrolment at evenly spaced points from the opening of enrolment to the third week; it dips
 * when students drop.
 */
// oxfmt-ignore
export const FILL_CURVE = [
  0, 0.1, 0.249, 0.368, 0.385, 0.39, 0.393, 0.4, 0.476, 0.568, 0.644, 0.693, 0.738, 0.75, 0.752, 0.787, 0.805, 0.835, 0.86, 0.888, 0.893, 0.894, 0.905,
  0.915, 0.933, 0.939, 0.93, 0.993, 0.996, 1, 1, 0.999, 1, 0.999, 0.997, 0.994, 0.991, 0.988, 0.984,
] as const;

/** Final enrolment relative to the capacity: lectures, seminars, discussions, laboratories. */
// oxfmt-ignore
export const MAIN_FILLS = [[0, 0], [0.06, 0.02], [0.12, 0.3], [0.25, 0.55], [0.5, 0.85], [0.7, 0.99], [0.75, 1], [0.97, 1], [0.985, 1.06], [1, 1.2]] as const;
/** The same for individual study: nearly half of the sections never have students. */
// oxfmt-ignore
export const INDIVIDUAL_FILLS = [[0, 0], [0.5, 0], [0.52, 0.08], [0.75, 0.15], [0.9, 0.35], [1, 0.6]] as const;

// oxfmt-ignore
export const REQUEST_RATIOS = [[0, 0.77], [0.05, 0.9], [0.25, 1.3], [0.5, 1.8], [0.75, 2.3], [0.95, 3.2], [1, 5]] as const;

/** 48 % of the sections keep a waitlist; its capacity is about an eighth of the section's. */
// oxfmt-ignore
export const WAITLIST_SHARE = 0.48;
// oxfmt-ignore
export const WAITLIST_CAPACITY = 0.12;
/** The final length of waitlists that are not empty. */
// oxfmt-ignore
export const WAITING = [[0, 1], [0.5, 2], [0.75, 5], [0.95, 19], [1, 40]] as const;

/** Share of sections that reserve seats for new students, and how many. */
// oxfmt-ignore
export const NEW_ONLY_SHARE = 0.17;
// oxfmt-ignore
export const NEW_ONLY_SEATS = [[0, 1], [0.1, 3], [0.25, 5], [0.5, 10], [0.75, 25], [0.9, 50], [0.97, 120], [1, 280]] as const;

/** Relative enrolment activity by weekday, from Sunday (seven in all), and by hour of the day. */
// oxfmt-ignore
export const WEEKDAY_ACTIVITY = [0.5, 1.2, 1.3, 1.2, 1.2, 1.1, 0.5] as const;
// oxfmt-ignore
export const HOUR_ACTIVITY = [4, 2, 1, 1, 1, 2, 4, 14, 22, 20, 16, 14, 14, 13, 12, 12, 12, 10, 9, 9, 9, 8, 7, 6] as const;

/** Share of lectures that are full within a day. */
export const IN_DEMAND_SHARE = 0.06;
/** The evening slot in minutes after midnight; its sections are drawn from the fuller part of MAIN_FILLS. */
export const EVENING_SLOT = { from: 1080, to: 1140 } as const;
export const EVENING_FILL_FROM = 0.5;
export const EVENING_REQUESTS = 1.4;
/** Share of students who are dropped when instruction begins, and the days until others have their seats. */
export const DROPPED_SHARE = 0.05;
export const DROP_DAYS = 9;
/** Share of sections that keep losing a student and finding another, and how many hours that takes. */
export const CHURN_SHARE = 0.3;
export const CHURN_HOURS = 5;

/** Weeks before instruction in which the seats for new students are released. */
export const NEW_ONLY_RELEASED_FROM = 3;

/**
 * Shares of sections: ever cancelled, added after the schedule appeared, with a changed capacity, with a changed
 * instructor.
 */
// oxfmt-ignore
export const CANCELLED_SHARE = 0.05;
// oxfmt-ignore
export const ADDED_SHARE = 0.015;
// oxfmt-ignore
export const CAPACITY_CHANGED_SHARE = 0.07;
// oxfmt-ignore
export const INSTRUCTOR_CHANGED_SHARE = 0.02;
/** Share of sections whose status the system omits where enrolment implies it. */
// oxfmt-ignore
export const STATUS_MISSING_SHARE = 0.02;
