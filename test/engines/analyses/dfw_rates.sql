-- In which departments do most students get a D or an F, or withdraw?
SELECT department, sum(letterStudents + withdrawnStudents) AS students,
  round(100.0 * sum(gradeDCount + gradeFCount + gradeWCount) / sum(letterStudents + withdrawnStudents), 2) AS dfwPercent
FROM (
  SELECT department, gradeDCount, gradeFCount, gradeWCount, gradeWCount AS withdrawnStudents,
    gradeACount + gradeBCount + gradeCCount + gradeDCount + gradeFCount AS letterStudents
  FROM grades
) AS counted
GROUP BY department
HAVING sum(letterStudents + withdrawnStudents) > 0
ORDER BY dfwPercent DESC, department
