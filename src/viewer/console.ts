/** Writes to the browser's console what an administrator may want to know and a visitor need not. */
export const logProblem = (message: string, detail: Record<string, unknown> = {}): void =>
  console.warn(`Enfilade: ${message}`, detail);
