-- How many courses were taught for the first time in each year after the first one?
SELECT firstYear AS year, count(*) AS courses, count(DISTINCT department) AS departments
FROM (SELECT deptCode AS department, courseNumber, min(year) AS firstYear FROM sections WHERE NOT cancelled GROUP BY 1, 2) AS courses
WHERE firstYear > (SELECT min(year) FROM sections)
GROUP BY firstYear
ORDER BY firstYear
