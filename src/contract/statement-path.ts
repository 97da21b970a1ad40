/** Path of an organization's accessibility statement. */
export const STATEMENT_PATH = '/accessibility';

/** The same page at a path that no structure can have: slugs contain no dots. */
export const OTHER_STATEMENT_PATH = '/accessibility.html';

/** Path of the product's conformance report. */
export const CONFORMANCE_PATH = '/accessibility/report.html';
