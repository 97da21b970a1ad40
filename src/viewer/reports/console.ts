/** Logs to the console for administrators; visitors need not see it. */
export const logProblem = (message: string, detail: Record<string, unknown> = {}): void =>
  console.warn(`Enfilade: ${message}`, detail);

/** Logs a fixed message that others may search for. */
export const logWords = (words: string, detail: Record<string, unknown>): void => console.warn(words, detail);
