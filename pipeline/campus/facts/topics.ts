/** Words from which course titles and descriptions are composed, by teaching style: qualities and subjects. */
import type { TeachingStyle } from "./departments.ts";

// oxfmt-ignore
const words = (text: string): readonly string[] => text.split(", ");

// oxfmt-ignore
export const QUALITIES: Readonly<Record<TeachingStyle, readonly string[]>> = {
  science: words("Molecular, Quantum, Statistical, Marine, Comparative, Computational, Organic, Applied, Physical, Evolutionary, Nonlinear, Structural"),
  engineering: words("Distributed, Embedded, Digital, Applied, Probabilistic, Secure, Parallel, Adaptive, Mobile, Computational, Sustainable, Robust"),
  social: words("Political, Urban, Comparative, Behavioral, Cultural, Global, Quantitative, Developmental, Economic, Public, Environmental, Cognitive"),
  humanities: words("Medieval, Modern, Postcolonial, Comparative, Critical, Atlantic, Pacific, Victorian, Contemporary, Ancient, Visual, Feminist"),
  language: words("Elementary, Intermediate, Conversational, Literary, Spoken, Written, Applied, Advanced, Cultural, Historical"),
  writing: words("Critical, Creative, Technical, Expository, Multilingual, Persuasive, Digital, Reflective, Academic, Public"),
  arts: words("Experimental, Digital, Contemporary, Baroque, Improvised, Modern, Collaborative, Applied, Visual, Performance"),
  professional: words("Strategic, International, Managerial, Applied, Clinical, Corporate, Community, Operational, Leadership, Regulatory"),
  medical: words("Clinical, Pediatric, Surgical, Diagnostic, Cellular, Translational, Geriatric, Preventive, Emergency, Advanced"),
};

// oxfmt-ignore
export const SUBJECTS: Readonly<Record<TeachingStyle, readonly string[]>> = {
  science: words("Dynamics, Genetics, Spectroscopy, Analysis, Fields, Ecology, Synthesis, Modeling, Thermodynamics, Geometry, Mechanics, Oceans, Climate, Algebra"),
  engineering: words("Systems, Networks, Algorithms, Databases, Control, Graphics, Architecture, Robotics, Compilers, Circuits, Materials, Optimization, Interfaces"),
  social: words("Inequality, Migration, Institutions, Perception, Markets, Families, Elections, Cities, Memory, Decisions, Health, Law and Justice, Networks"),
  humanities: words("Literature, Painting, Empires, Ethics, Religion, Cinema, Poetry, Archives, Aesthetics, Revolutions, Metaphysics, Theater, Narrative"),
  language: words("Grammar, Composition, Reading, Conversation, Poetry, Drama, Translation, Culture, Phonetics, Prose"),
  writing: words("Argument, Rhetoric, Composition, Research, Inquiry, Editing, Narrative, Reasoning, Communication, Discourse"),
  arts: words("Drawing, Sculpture, Choreography, Composition, Stagecraft, Sound, Photography, Repertory, Design, Painting"),
  professional: words("Finance, Marketing, Accounting, Care, Negotiation, Policy, Operations, Nursing Practice, Analytics, Ethics"),
  medical: words("Medicine, Pathology, Anatomy, Imaging, Pharmacology, Immunology, Neurology, Epidemiology, Rotation, Diagnosis"),
};

/** Title patterns by level; `{}` is the topic. */
export const TITLE_PATTERNS = {
  lower: ["Introduction to {}", "{}", "Foundations of {}", "{} and Society", "Honors {}"],
  upper: [
    "{}",
    "{} I",
    "{} II",
    "Advanced {}",
    "{} & Methods",
    "Topics in {}",
    "{}: Theory and Practice",
    "Case Studies in {}",
  ],
  graduate: ["Seminar in {}", "Advanced {}", "{} Theory", "Proseminar: {}", "Research Methods in {}", "Readings in {}"],
} as const;

/** Sentences of descriptions; `{}` are topics. */
export const SENTENCES = [
  "Introduces {} and {}, with emphasis on evidence and method.",
  "Examines how {} shaped {} from early work to the present.",
  "Surveys the principles of {}; students analyze {} in weekly problem sets.",
  "Covers {}, {}, and their applications.",
  "Materials fee.",
  "Students design, carry out, and present a project on {}.",
  "Particular attention is given to {} & the limits of {}.",
  "Weekly readings in {}.",
  "Lecture, three hours; discussion, one hour.",
] as const;

// oxfmt-ignore
export const SPECIAL_TOPICS = ["CLIMATE & CITIES", "MACHINES THAT LEARN", "DESERT ECOLOGIES", "SOUND & MEMORY", "R/D LABORATORIES", "BORDERS", "FUTURES OF WORK", "<MARKUP> CULTURES"] as const;
