/** Parameter name of an access token in a URL fragment. */
const NAME = 'access_token';

/**
 * The URL fragment that opens a protected structure with an access token. Browsers send fragments neither to servers nor in
 * referrers.
 */
export const tokenFragment = (token: string): string => `#${NAME}=${encodeURIComponent(token)}`;

/** The access token in a URL fragment; null if there is none. @param hash including the `#` */
export const tokenFromFragment = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get(NAME);
