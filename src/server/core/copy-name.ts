const SUFFIX = ' (copy)';
/** Maximum name length in characters. */
const MAX_COPY_NAME = 255;

/** Name of a copy; a long original name is truncated. */
export const copyName = (name: string): string => name.slice(0, MAX_COPY_NAME - SUFFIX.length).toWellFormed() + SUFFIX;
