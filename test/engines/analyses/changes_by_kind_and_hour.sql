-- Which kinds of changes were found at which hour of the day, by UTC?
SELECT kind, CAST(floor(epoch(changes.at) / 3600) AS BIGINT) % 24 AS hour, count(*) AS changes, count(DISTINCT sectionCode) AS sections
FROM changes
GROUP BY 1, 2
ORDER BY 1, 2
