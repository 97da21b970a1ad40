/**
 * Waits for a part of something, and lets go of what is held already where the part can't be had: who asked for the
 * whole gets an error, and nobody to free it.
 */
export async function withCleanup<T>(part: Promise<T>, cleanUp: () => void): Promise<T> {
  try {
    return await part;
  } catch (error) {
    cleanUp();
    throw error;
  }
}
