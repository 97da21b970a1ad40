/** How far the product conforms, in the terms of the VPAT. */
export const LEVELS = [
  'Supports',
  'Partially Supports',
  'Does Not Support',
  'Not Applicable',
  'Not Evaluated',
] as const;
export type ConformanceLevel = (typeof LEVELS)[number];

/** Parts of the product: rooms, text pages and back-office; the editor; documents and help. */
export const PARTS = { web: 'Web', authoring: 'Authoring tool', documentation: 'Documentation' } as const;
export type Part = keyof typeof PARTS;

/** A test that shows that a criterion is met. */
export interface TestEvidence {
  /** Path of the test file from the root of the repository. */
  file: string;
  /** Part of the test's name; omitted for all tests of the file. */
  title?: string;
}

/** A check that a person repeats by following its steps. */
export interface ManualCheck {
  id: string;
  name: string;
  steps: readonly string[];
  /** Date of the last check, YYYY-MM-DD, if it passed; null if nobody has recorded one. */
  passed_on: string | null;
}

/** A criterion of the table with its rating. */
export interface Row {
  /** Clause of EN 301 549, such as `9.1.4.3`. */
  id: string;
  name: string;
  /** Level in WCAG; omitted for other clauses. */
  wcag?: 'A' | 'AA';
  level: ConformanceLevel;
  /** Remarks by part of the product. */
  remarks: Partial<Record<Part, string>>;
  tests: readonly TestEvidence[];
  /** Ids of manual checks. */
  manual: readonly string[];
}

/** A table of the report: a chapter of the standard, or a group of criteria. */
export interface Chapter {
  title: string;
  rows: readonly Row[];
}

type Rating = Pick<Row, 'remarks'> & Partial<Pick<Row, 'tests' | 'manual'>>;

const rowOf = (level: ConformanceLevel, { tests = [], manual = [], remarks }: Rating): Omit<Row, 'id' | 'name'> => ({
  level,
  remarks,
  tests,
  manual,
});

/** Ratings of rows. What isn't proven is never `supports`. */
export const supports = (tests: readonly TestEvidence[], remarks: Row['remarks'] = {}) =>
  rowOf('Supports', { tests, remarks });
export const partially = (remarks: Row['remarks'], tests: readonly TestEvidence[] = [], manual: string[] = []) =>
  rowOf('Partially Supports', { tests, manual, remarks });
export const fails = (remarks: Row['remarks']) => rowOf('Does Not Support', { remarks });
export const excluded = (web: string) => rowOf('Not Applicable', { remarks: { web } });
export const unchecked = (remarks: Row['remarks'], manual: string[] = []) =>
  rowOf('Not Evaluated', { manual, remarks });

/** A clause of the standard. */
export const clause = (id: string, name: string, rating: Omit<Row, 'id' | 'name'>): Row => ({ id, name, ...rating });

/** A success criterion of WCAG, which is the clause of chapter 9 with its number. */
export const criterion = (number: string, name: string, wcag: 'A' | 'AA', rating: Omit<Row, 'id' | 'name'>): Row => ({
  id: `9.${number}`,
  name,
  wcag,
  ...rating,
});
