-- Which share of all seats is taken in each term?
SELECT s.year, s.quarter, count(*) AS sections, sum(capacity) AS capacity, sum(enrolled) AS enrolled,
  round(100.0 * sum(enrolled) / sum(capacity), 2) AS filledPercent
FROM seats s
JOIN calendar c ON c.year = s.year AND c.quarter = s.quarter
WHERE NOT cancelled AND capacity > 0 AND enrolled IS NOT NULL
GROUP BY s.year, s.quarter, c.instructionStart
ORDER BY c.instructionStart, s.quarter
