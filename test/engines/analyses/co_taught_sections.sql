-- Which share of the sections with named instructors is taught by several, by year?
SELECT year, count(*) AS sections, count(*) FILTER (WHERE instructorCount > 1) AS coTaught,
  round(100.0 * count(*) FILTER (WHERE instructorCount > 1) / count(*), 2) AS coTaughtPercent
FROM (SELECT DISTINCT year, quarter, sectionCode, instructorCount FROM teaching WHERE NOT cancelled) AS taught
GROUP BY year
ORDER BY year
