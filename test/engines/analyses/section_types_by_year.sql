-- Which types of sections does each year have?
SELECT year, sectionType, count(*) AS sections, round(100.0 * count(*) / sum(count(*)) OVER (PARTITION BY year), 2) AS percent
FROM sections
WHERE NOT cancelled
GROUP BY year, sectionType
ORDER BY year, sectionType
