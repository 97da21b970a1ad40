/** Name of the database file in the data folder. */
export const DATABASE_FILE = 'enfilade.sqlite';

/** Search index of access tokens in the data folder. It is derived from the database and not part of backups. */
export const TOKEN_INDEX_FILE = 'token-search.sqlite';

/** Token ids per table of the index: small enough to query within milliseconds. */
export const INDEX_WINDOW = 20_000;

/** Name of the table that contains a token. */
export const indexTableOf = (id: number): string => `tokens_${Math.floor(id / INDEX_WINDOW)}`;
