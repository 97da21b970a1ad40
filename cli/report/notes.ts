/** Prints messages that accompany the result to standard error. */
export function notifyNotes(notes: readonly string[], asJson: boolean): void {
  for (const note of notes) process.stderr.write(asJson ? `${JSON.stringify({ note })}\n` : `enfilade: ${note}\n`);
}
