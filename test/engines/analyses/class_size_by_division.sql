-- How large are lectures, by division?
SELECT division, count(*) AS lectures, sum(sectionEnrolled) AS students, round(avg(enrolled), 2) AS mean, median(enrolled) AS median,
  max(enrolled) AS largest
FROM (
  SELECT enrolled, sectionEnrolled, CASE WHEN courseNumeric < 100 THEN 'LowerDiv' WHEN courseNumeric < 200 THEN 'UpperDiv' ELSE 'Graduate' END AS division
  FROM seats
  WHERE sectionType = 'Lec' AND NOT cancelled AND enrolled > 0
) AS lectures
GROUP BY division
ORDER BY division
