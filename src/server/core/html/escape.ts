export { escapeHtml } from '../../../contract/escape-html.ts';

/** A value as JSON for a script element: can't close the element or break a line. */
export const scriptJson = (value: unknown): string => scriptText(JSON.stringify(value));

/** Escapes JSON for a script element. */
export const scriptText = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
