/**
 * The character of a key: as printed on Latin keyboards, and that of the US layout where letters are not Latin, so that
 * shortcuts work in Greek, Cyrillic or Arabic.
 */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isForeign = /^\p{L}$/u.test(key) && !/^\p{Script=Latin}$/u.test(key);
  return isForeign ? (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key) : key;
}
