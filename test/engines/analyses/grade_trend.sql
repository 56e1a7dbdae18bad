-- How have grade averages moved from year to year, over sections and over students?
SELECT year, count(averageGPA) AS sections, sum(gpaStudents) AS students,
  round(avg(CAST(averageGPA AS DOUBLE)), 3) AS meanOfSections,
  round(sum(gpaPoints) / sum(gpaStudents), 3) AS meanOfStudents
FROM grade_students
GROUP BY year
ORDER BY year
