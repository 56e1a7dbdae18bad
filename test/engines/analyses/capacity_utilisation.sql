-- How well is capacity used by type of section and division: how many sections are full, how many half empty?
SELECT sectionType, CASE WHEN courseNumeric < 100 THEN 'LowerDiv' WHEN courseNumeric < 200 THEN 'UpperDiv' ELSE 'Graduate' END AS division,
  count(*) AS sections, count(*) FILTER (WHERE enrolled >= capacity) AS filled, count(*) FILTER (WHERE 2 * enrolled < capacity) AS halfEmpty,
  round(100.0 * sum(enrolled) / sum(capacity), 2) AS usedPercent
FROM seats
WHERE NOT cancelled AND capacity > 0
GROUP BY 1, 2
ORDER BY 1, 2
