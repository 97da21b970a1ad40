/** Writes to the browser's console what an administrator may want to know and a visitor need not. */
export const logProblem = (message: string, detail: Record<string, unknown> = {}): void =>
  console.warn(`Enfilade: ${message}`, detail);

/** Writes words that others look for as they are. */
export const logWords = (words: string, detail: Record<string, unknown>): void => console.warn(words, detail);
