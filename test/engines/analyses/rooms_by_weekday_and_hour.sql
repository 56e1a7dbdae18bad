-- How many rooms are in use in each hour of the week, in the newest Fall?
SELECT weekday, weekdayName, hour, count(DISTINCT place) AS rooms, count(DISTINCT sectionCode) AS sections
FROM meetings_flat
JOIN (VALUES (7), (8), (9), (10), (11), (12), (13), (14), (15), (16), (17), (18), (19), (20), (21), (22)) AS clock(hour)
  ON startMinute < 60 * (hour + 1) AND endMinute > 60 * hour
WHERE quarter = 'Fall' AND year = (SELECT max(year) FROM sections WHERE quarter = 'Fall')
  AND weekday IS NOT NULL AND room IS NOT NULL AND NOT cancelled
GROUP BY weekday, weekdayName, hour
ORDER BY weekday, hour
