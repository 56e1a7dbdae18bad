-- How does enrolment go on from week to week of instruction, on the last day of each week that has a snapshot?
SELECT year, quarter, week, max(date) AS lastDay, max_by(enrolled, date) AS enrolled, max_by(sections, date) AS sections
FROM (
  SELECT d.year, d.quarter, w.week, d.date, sum(d.enrolled) AS enrolled, count(*) AS sections
  FROM enrollment_days d
  JOIN week_of_term w ON w.year = d.year AND w.quarter = d.quarter AND w.date = d.date
  WHERE NOT w.isFinals
  GROUP BY d.year, d.quarter, w.week, d.date
) AS days
GROUP BY year, quarter, week
ORDER BY year, quarter, week
