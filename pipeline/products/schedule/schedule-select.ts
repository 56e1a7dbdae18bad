/** A landing file does not distinguish empty lists from null; GE categories come from searches of their own. */
export const sectionsSelect = (landed: string, ge: string) => `
  SELECT s.* EXCLUDE (meetings, finalExam),
    list_transform(s.meetings, lambda m: {
      'timeIsTBA': m.timeIsTBA, 'bldg': m.bldg,
      'days': CASE WHEN m.timeIsTBA THEN NULL ELSE m.days END,
      'startTime': CASE WHEN m.timeIsTBA THEN NULL ELSE m.startTime END,
      'endTime': CASE WHEN m.timeIsTBA THEN NULL ELSE m.endTime END }) AS meetings,
    CASE WHEN s.finalExam.examStatus = 'SCHEDULED_FINAL' THEN s.finalExam
      ELSE {'examStatus': s.finalExam.examStatus, 'dayOfWeek': NULL, 'month': NULL, 'day': NULL, 'startTime': NULL, 'endTime': NULL, 'bldg': NULL} END AS finalExam,
    coalesce(g.categories, []) AS geCategories
  FROM ${landed} s
  LEFT JOIN (SELECT sectionCode, list(category ORDER BY category) AS categories FROM ${ge} GROUP BY sectionCode) g USING (sectionCode)`;

/** Of equally long values the last in order, so that the result does not depend on the order of rows. */
const longest = (column: string) => `arg_max(${column}, {'length': len(${column}), 'value': ${column}})`;

/** A department may be in the pages of several: its heading has the longest values. */
export const headingsSelect = (landed: string) => `
  SELECT year, quarter, schoolName, max(schoolComment) AS schoolComment, deptCode,
    ${longest("deptName")} AS deptName, max(deptComment) AS deptComment,
    ${longest("sectionCodeRangeComments")} AS sectionCodeRangeComments,
    ${longest("courseNumberRangeComments")} AS courseNumberRangeComments
  FROM ${landed} GROUP BY year, quarter, schoolName, deptCode`;
