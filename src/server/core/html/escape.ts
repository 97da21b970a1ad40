const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as it stands in HTML, also within quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => HTML[sign]!);

/** A value as JSON that can stand in a script element: nothing in it ends the element or a line. */
export const scriptJson = (value: unknown): string => scriptText(JSON.stringify(value));

/** JSON as it can stand in a script element. */
export const scriptText = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
