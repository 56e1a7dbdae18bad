-- How do summer sessions differ from regular quarters in size of lectures and in grades?
SELECT season, lectures, meanSize, gradedSections, meanOfStudents
FROM (
  SELECT CASE WHEN quarter LIKE 'Summer%' THEN 'summer' ELSE 'regular' END AS season, count(*) AS lectures, round(avg(enrolled), 2) AS meanSize
  FROM seats
  WHERE sectionType = 'Lec' AND NOT cancelled AND enrolled > 0
  GROUP BY 1
) AS sizes
JOIN (
  SELECT CASE WHEN quarter LIKE 'Summer%' THEN 'summer' ELSE 'regular' END AS graded, count(averageGPA) AS gradedSections,
    round(sum(gpaPoints) / sum(gpaStudents), 3) AS meanOfStudents
  FROM grade_students
  GROUP BY 1
) AS means ON season = graded
ORDER BY season
