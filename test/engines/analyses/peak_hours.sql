-- At which hours do most classes begin, and how full are they?
SELECT CAST(floor(startMinute / 60) AS INTEGER) AS hour, count(*) AS sections, sum(sectionEnrolled) AS students,
  round(100.0 * sum(enrolled) / sum(capacity), 2) AS filledPercent
FROM seats s
JOIN (SELECT DISTINCT year, quarter, sectionCode, startMinute FROM meetings_flat WHERE weekday <= 5) AS begins
  ON begins.year = s.year AND begins.quarter = s.quarter AND begins.sectionCode = s.sectionCode
WHERE NOT s.cancelled AND capacity > 0 AND startMinute IS NOT NULL
GROUP BY 1
ORDER BY 1
