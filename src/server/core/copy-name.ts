/** What a copy's name ends with. */
const SUFFIX = ' (copy)';
/** Most characters of a name. */
const MAX_COPY_NAME = 255;

/** Name of a copy: that of the original, shortened where it would be too long. */
export const copyName = (name: string): string => name.slice(0, MAX_COPY_NAME - SUFFIX.length).toWellFormed() + SUFFIX;
