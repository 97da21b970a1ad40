/**
 * Waits for a part of something, and releases what is held already where the part fails: who asked for the whole gets
 * an error and has nothing to release.
 */
export async function withCleanup<T>(part: Promise<T>, cleanUp: () => void): Promise<T> {
  try {
    return await part;
  } catch (error) {
    cleanUp();
    throw error;
  }
}
