const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as it stands in HTML, also within quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => HTML[sign]!);
