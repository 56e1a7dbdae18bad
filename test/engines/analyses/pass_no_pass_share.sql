-- Which share of the students who got a grade is graded Pass/No Pass, by year?
SELECT year, sum(passNoPassStudents) AS passNoPass, sum(letterStudents) AS letters,
  round(100.0 * sum(passNoPassStudents) / sum(letterStudents + passNoPassStudents), 2) AS passNoPassPercent
FROM grade_students
GROUP BY year
ORDER BY year
