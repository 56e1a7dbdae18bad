-- How many seats are taken a day in the first week of enrolment, by term?
SELECT year, quarter, min(date) AS opened, min_by(enrolled, date) AS onFirstDay, max_by(enrolled, date) AS aWeekLater,
  round((max_by(enrolled, date) - min_by(enrolled, date)) / date_diff('day', min(date), max(date)), 2) AS seatsADay
FROM (
  SELECT d.year, d.quarter, d.date, sum(d.enrolled) AS enrolled
  FROM enrollment_days d
  JOIN (SELECT year, quarter, min(date) AS opened FROM enrollment_days GROUP BY year, quarter) t
    ON t.year = d.year AND t.quarter = d.quarter AND date_diff('day', t.opened, d.date) <= 7
  GROUP BY d.year, d.quarter, d.date
) AS days
GROUP BY year, quarter
HAVING count(*) > 1
ORDER BY opened, year, quarter
