/** Name of the database file in the data folder. */
export const DATABASE_FILE = 'enfilade.sqlite';

/** Name of the file in the data folder that finds access tokens. It is derived from the database and no part of backups. */
export const TOKEN_INDEX_FILE = 'token-search.sqlite';

/** Ids of access tokens that one table of that file has: each is small enough to be asked within milliseconds. */
export const INDEX_WINDOW = 20_000;

/** Name of the table that has a token. */
export const indexTableOf = (id: number): string => `tokens_${Math.floor(id / INDEX_WINDOW)}`;
