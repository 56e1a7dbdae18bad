-- How many lectures does an instructor of a department teach in a year, a shared one counted in parts (of sixty, which keep sums exact)?
SELECT department, count(DISTINCT instructor) AS instructors, count(*) AS instructorYears, round(avg(load) / 60, 3) AS lecturesAYear
FROM (
  SELECT department, instructor, year, sum(60 / instructorCount) AS load
  FROM teaching
  WHERE sectionType = 'Lec' AND NOT cancelled
  GROUP BY department, instructor, year
) AS loads
GROUP BY department
ORDER BY lecturesAYear DESC, department
