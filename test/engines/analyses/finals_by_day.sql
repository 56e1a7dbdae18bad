-- How many finals are held on each day of the newest Fall's finals, and how many students sit in them?
SELECT f.date, count(*) AS finals, min(f.startTime) AS earliest, max(f.endTime) AS latest, sum(s.sectionEnrolled) AS students
FROM finals f
JOIN seats s ON s.year = f.year AND s.quarter = f.quarter AND s.sectionCode = f.sectionCode
WHERE NOT f.cancelled AND f.quarter = 'Fall' AND f.year = (SELECT max(year) FROM finals WHERE quarter = 'Fall')
GROUP BY f.date
ORDER BY f.date
