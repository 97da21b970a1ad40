import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * A condition that a column, or several together, contain every word of a search, ignoring case and Unicode
 * normalization of accents (NFC and NFD). LIKE wildcards are escaped.
 * @param column column name or names, from our own code; of several, none may be null
 */
export function containsWords(column: string | readonly string[], search: string): RawBuilder<SqlBool> {
  const text = sql.join(
    [column].flat().map((name) => sql.ref(name)),
    sql` || ' ' || `,
  );
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const conditions = words.map((word) => {
    const forms = [...new Set([word, word.normalize('NFC'), word.normalize('NFD')])];
    const likes = forms.map((form) => {
      const pattern = `%${form.replace(/[\\%_]/g, '\\$&')}%`;
      return sql<SqlBool>`lower(${text}) like ${pattern} escape '\\'`;
    });
    return likes.length === 1 ? likes[0]! : sql<SqlBool>`(${sql.join(likes, sql` or `)})`;
  });
  return sql<SqlBool>`(${sql.join(conditions.length > 0 ? conditions : [sql`1 = 1`], sql` and `)})`;
}
