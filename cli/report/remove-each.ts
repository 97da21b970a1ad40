/**
 * Removes entities one by one and reports how many were removed, even if one fails.
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
