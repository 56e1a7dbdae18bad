-- Which courses are named among the prerequisites of most others?
SELECT prerequisite, count(DISTINCT id) AS courses, count(DISTINCT department) AS departments
FROM (SELECT id, department, unnest(prerequisiteList) AS prerequisite FROM courses) AS needs
GROUP BY prerequisite
ORDER BY courses DESC, prerequisite
LIMIT 20
