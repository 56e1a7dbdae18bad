-- Which share of the sections of each term is cancelled?
SELECT s.year, s.quarter, count(*) AS sections, count(*) FILTER (WHERE cancelled) AS cancelled,
  round(100.0 * count(*) FILTER (WHERE cancelled) / count(*), 2) AS cancelledPercent
FROM sections s
JOIN calendar c ON c.year = s.year AND c.quarter = s.quarter
GROUP BY s.year, s.quarter, c.instructionStart
ORDER BY c.instructionStart, s.quarter
