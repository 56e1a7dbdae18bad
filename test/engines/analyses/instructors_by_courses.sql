-- How many instructors have taught how many different courses?
SELECT courses, count(*) AS instructors, min(instructor) AS forExample
FROM (
  SELECT instructor, count(DISTINCT department || ' ' || courseNumber) AS courses
  FROM teaching
  WHERE NOT cancelled
  GROUP BY instructor
) AS people
GROUP BY courses
ORDER BY courses
