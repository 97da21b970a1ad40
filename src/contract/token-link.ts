/** Name of the part of an address that holds an access token. */
const NAME = 'access_token';

/**
 * The end of an address that enters a protected structure with an access token. It stands behind the `#`, which browsers send
 * to no server and name to no other page.
 */
export const tokenLinkEnd = (token: string): string => `#${NAME}=${encodeURIComponent(token)}`;

/** The access token that an address holds behind its `#`; null where there is none. @param hash from the `#` on */
export const tokenOfLink = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get(NAME);
