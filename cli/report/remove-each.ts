/**
 * Removes things one after another and says how many went, also where one of them is refused.
 * @param remove removes one
 */
export async function removeEach(ids: readonly number[], remove: (id: number) => Promise<unknown>): Promise<void> {
  let count = 0;
  try {
    for (const id of new Set(ids)) {
      await remove(id);
      count++;
    }
  } finally {
    if (count > 0) process.stdout.write(`Removed ${count}.\n`);
  }
}
