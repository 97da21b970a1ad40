import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * A condition that a column contains every word of a search, ignoring case and Unicode normalization of accents (NFC
 * and NFD). LIKE wildcards are escaped.
 * @param column column name, from our own code
 */
export function containsWords(column: string, search: string): RawBuilder<SqlBool> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const conditions = words.map((word) => {
    const forms = [...new Set([word, word.normalize('NFC'), word.normalize('NFD')])];
    const likes = forms.map((form) => {
      const pattern = `%${form.replace(/[\\%_]/g, '\\$&')}%`;
      return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
    });
    return likes.length === 1 ? likes[0]! : sql<SqlBool>`(${sql.join(likes, sql` or `)})`;
  });
  return sql<SqlBool>`(${sql.join(conditions.length > 0 ? conditions : [sql`1 = 1`], sql` and `)})`;
}
