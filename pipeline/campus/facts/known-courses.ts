/**
 * Courses that everybody looks for first, as a real catalogue names them (public facts). With them the examples of the
 * documentation work on the sample campus, and odd course numbers occur. All others are invented.
 */
import type { CourseKind } from "./sections.ts";

/** department, number, title, the schedule's short title, kind, units, and GE text where there is one. */
export type KnownCourse = readonly [
  department: string,
  number: string,
  title: string,
  short: string,
  kind: CourseKind,
  units: string,
  ge?: string,
];

// oxfmt-ignore
export const KNOWN_COURSES: readonly KnownCourse[] = [
  ["AC ENG", "20A", "Academic Writing", "ACADEMIC WRITING", "seminar", "4"],
  ["AC ENG", "22A", "Rhetoric and Composition", "RHETORIC&COMP", "seminar", "4", "(Ia)"],
  ["ART", "1A", "Art in Context: History, Theory, and Practice", "ART IN CONTEXT", "lecture", "4", "(IV)"],
  ["ART HIS", "40A", "Ancient Egyptian, Near Eastern, Greek, and Roman Art", "ANCIENT EGYPT&GREEK", "lecture", "4", "(IV, VIII)"],
  ["BIO SCI", "93", "From DNA to Organisms", "DNA TO ORGANISMS", "lecture", "4", "(II)"],
  ["BIO SCI", "94", "From Organisms to Ecosystems", "ORGANISMS TO ECOSYS", "lecture", "4", "(II)"],
  ["BIO SCI", "M118L", "Experimental Microbiology Laboratory", "EXP MICROBIOL LAB", "laboratory", "4"],
  ["BIO SCI", "E106", "Processes in Ecology and Evolution", "PROCESSES ECOL&EVOL", "lecture", "4"],
  ["BIO SCI", "D103", "Cell Biology", "CELL BIOLOGY", "lecture", "4"],
  ["BIO SCI", "199", "Undergraduate Research", "UNDERGRAD RESEARCH", "research", "1-5"],
  ["CHC/LAT", "61", "Introduction to Chicano/Latino Studies", "INTRO CHC/LAT STDY", "lecture", "4", "(III, VII)"],
  ["CHEM", "1A", "General Chemistry", "GENERAL CHEMISTRY", "lecture", "4", "(II)"],
  ["CHEM", "1LC", "General Chemistry Laboratory", "GENERAL CHEM LAB", "laboratory", "2", "(II)"],
  ["CHEM", "51B", "Organic Chemistry", "ORGANIC CHEMISTRY", "lecture", "4"],
  ["CHEM", "H2A", "Honors General Chemistry", "HON GENERAL CHEM", "lecture", "4", "(II, Va)"],
  ["COMPSCI", "103", "Advanced Programming and Problem Solving with C++", "ADV PRGRMG&PROB SLV", "lecture", "4"],
  ["COMPSCI", "111", "Digital Image Processing", "DIGTL IMAGE PROCESS", "lecture", "4"],
  ["COMPSCI", "143A", "Principles of Operating Systems", "PRNCPLS OPERTNG SYS", "lecture", "4"],
  ["COMPSCI", "161", "Design and Analysis of Algorithms", "DES&ANALYS OF ALGOR", "lecture", "4"],
  ["COMPSCI", "162", "Formal Languages and Automata", "FORMAL LANG & AUTM", "lecture", "4"],
  ["COMPSCI", "190", "Special Topics in Computer Science", "TOPICS COMPUTER SCI", "seminar", "4"],
  ["COMPSCI", "199", "Individual Study", "INDIVIDUAL STUDY", "tutorial", "2-4"],
  ["COMPSCI", "298", "Thesis Supervision", "THESIS SUPERVISION", "research", "2-12"],
  ["COMPSCI", "299", "Individual Study", "INDIVIDUAL STUDY", "research", "2-12"],
  ["CRM/LAW", "C7", "Introduction to Criminology, Law and Society", "INTRO TO CRIM/LAW", "lecture", "4", "(III)"],
  ["DANCE", "90A", "Dance History 20th-21st Century", "DANCE HIST 20-21", "lecture", "4", "(IV)"],
  ["DANCE", "190W", "Critical Issues in Dance", "CRIT ISSUES IN DNC", "seminar", "4", "(Ib)"],
  ["ECON", "20A", "Basic Economics I", "BASIC ECONOMICS I", "lecture", "4", "(III)"],
  ["EECS", "70A", "Network Analysis I", "NETWORK ANALYSIS I", "lecture", "4"],
  ["ENGLISH", "10", "Topics in English and American Literature", "TPCS ENG & AMER LIT", "lecture", "4", "(IV)"],
  ["GEN&SEX", "20A", "Queer Studies", "QUEER STUDIES", "lecture", "4", "(III, VII)"],
  ["HISTORY", "21A", "World: Innovations", "WORLD: INNOVATIONS", "lecture", "4", "(IV, VIII)"],
  ["HUMAN", "H1AS", "Humanities Core Honors Seminar", "HUM CORE HON SEM", "seminar", "4", "(Ia)"],
  ["I&C SCI", "6B", "Boolean Logic and Discrete Structures", "BOOLEAN LOGIC&DISCR", "lecture", "4", "(Vb)"],
  ["I&C SCI", "H32", "Python Programming and Libraries (Accelerated)", "PYTHON PROG & LIBS", "lecture", "4"],
  ["I&C SCI", "31", "Introduction to Programming", "INTRO TO PROGRAMMNG", "lecture", "4", "(II, Vb)"],
  ["I&C SCI", "33", "Intermediate Programming", "INTERMEDIATE PRGRMG", "lecture", "4", "(II, Vb)"],
  ["I&C SCI", "46", "Data Structure Implementation and Analysis", "DATA STRC IMPL&ANLS", "lecture", "4", "(Vb)"],
  ["IN4MATX", "43", "Introduction to Software Engineering", "INTRO SOFTWARE ENGR", "lecture", "4", "(II)"],
  ["LSCI", "3", "Introduction to Linguistics", "INTRO LINGUISTICS", "lecture", "4", "(III)"],
  ["LSCI", "102", "Formal Languages and Automata", "FORMAL LANG & AUTM", "lecture", "4"],
  ["MATH", "2A", "Single-Variable Calculus I", "CALCULUS I", "lecture", "4", "(Va)"],
  ["MATH", "2B", "Single-Variable Calculus II", "CALCULUS II", "lecture", "4", "(Va)"],
  ["MATH", "3A", "Introduction to Linear Algebra", "INTRO LIN ALGEBRA", "lecture", "4", "(Va)"],
  ["PHILOS", "29", "Critical Reasoning", "CRITICAL REASONING", "lecture", "4", "(Vb)"],
  ["PHYSICS", "3A", "Basic Physics I", "BASIC PHYSICS I", "lecture", "4", "(II, Va)"],
  ["PHYSICS", "7LC", "Classical Physics Laboratory", "CLASSICAL PHYS LAB", "laboratory", "1", "(II)"],
  ["PHYSICS", "99", "Current Frontiers in Physics", "CURRENT FRONTIERS", "colloquium", "1"],
  ["PHYSICS", "239", "Plasma Physics Colloquium", "PLASMA COLLOQUIUM", "colloquium", ".5"],
  ["PSYCH", "9", "Introduction to Psychology", "INTRO TO PSYCHOLOGY", "lecture", "4", "(III)"],
  ["SPANISH", "1A", "Fundamentals of Spanish", "FUNDAMENTALS", "seminar", "5"],
  ["SPANISH", "1B", "Fundamentals of Spanish", "FUNDAMENTALS", "seminar", "5"],
  ["SPANISH", "2A", "Intermediate Spanish", "INTERMEDIATE", "seminar", "4", "(VI)"],
  ["STATS", "7", "Basic Statistics", "BASIC STATISTICS", "lecture", "4", "(Va)"],
  ["STATS", "67", "Introduction to Probability and Statistics for Computer Science", "INTRO PROB&STAT/CS", "lecture", "4"],
  ["STATS", "200AP", "Intermediate Probability and Statistical Theory I", "INTR PROB&STAT THRY", "lecture", "4"],
  ["WRITING", "39A", "Introduction to Writing and Rhetoric", "INTRO WRIT&RHETORIC", "seminar", "4", "(Ia)"],
  ["WRITING", "60", "Argument and Research", "ARGUMENT & RESEARCH", "seminar", "4", "(Ia)"],
];

/** The course whose Fall lecture is online and so large that its grade counts need a thousands separator. */
export const GIANT_COURSE = ["PSYCH", "9"] as const;
export const GIANT_CAPACITY = 1900;

/** Pairs of the well-known courses that are one class in two departments. */
export const KNOWN_SAME = [["COMPSCI", "162", "LSCI", "102"]] as const;
