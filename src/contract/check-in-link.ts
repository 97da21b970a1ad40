/** Path of the check-in page. */
export const CHECK_IN_PATH = '/check-in';

/** Path of the check-in page with the token of a link. Browsers don't send the fragment to servers. */
export const checkInPath = (token: string): string => `${CHECK_IN_PATH}#${token}`;
