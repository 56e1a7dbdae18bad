-- How long is the longest chain of prerequisites behind a course?
WITH RECURSIVE needs AS (
  SELECT department || ' ' || courseNumber AS course, unnest(prerequisiteList) AS prerequisite FROM courses
), chain AS (
  SELECT department || ' ' || courseNumber AS course, 0 AS depth FROM courses
  UNION
  SELECT needs.course, chain.depth + 1 FROM chain JOIN needs ON needs.prerequisite = chain.course WHERE chain.depth < 30
)
SELECT depth, count(*) AS courses, min(course) AS forExample
FROM (SELECT course, max(depth) AS depth FROM chain GROUP BY course) AS longest
GROUP BY depth
ORDER BY depth
