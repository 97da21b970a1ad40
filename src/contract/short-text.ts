/** Characters of a name from a file that an error repeats. */
const MAX_NAME_LENGTH = 80;

/** A name for an error, cut if it is long: a file can hold names of megabytes. */
export const shortText = (text: string): string =>
  text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : text;
