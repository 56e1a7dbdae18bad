-- In which departments were waitlists longest beside the seats there are, on the worst day of each section?
SELECT department, count(*) AS sections, sum(longest) AS waiting, sum(seats) AS seats,
  round(100.0 * sum(longest) / sum(seats), 2) AS waitingPercent
FROM (
  SELECT year, quarter, sectionCode, department, max(waiting) AS longest, max(capacity) AS seats
  FROM enrollment_days
  WHERE waiting IS NOT NULL AND capacity > 0
  GROUP BY year, quarter, sectionCode, department
) AS worst
GROUP BY department
ORDER BY waitingPercent DESC, department
