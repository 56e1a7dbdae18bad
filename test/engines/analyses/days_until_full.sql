-- How many days after the first snapshot of its term does a lecture fill up, by department?
SELECT department, count(*) AS lectures, count(filledOn) AS filled, median(date_diff('day', opened, filledOn)) AS medianDays,
  min(date_diff('day', opened, filledOn)) AS quickest
FROM (
  SELECT d.year, d.quarter, d.sectionCode, d.department, min(t.opened) AS opened, min(CASE WHEN d.enrolled >= d.capacity THEN d.date END) AS filledOn
  FROM enrollment_days d
  JOIN (SELECT year, quarter, min(date) AS opened FROM enrollment_days GROUP BY year, quarter) t
    ON t.year = d.year AND t.quarter = d.quarter
  JOIN calendar c ON c.year = d.year AND c.quarter = d.quarter
  WHERE d.sectionType = 'Lec' AND d.capacity > 0 AND d.date <= c.finalsEnd
  GROUP BY d.year, d.quarter, d.sectionCode, d.department
) AS lectures
GROUP BY department
HAVING count(filledOn) > 0
ORDER BY medianDays, department
