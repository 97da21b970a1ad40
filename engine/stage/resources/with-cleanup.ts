/** Awaits part of an operation and releases acquired resources if it fails, so that the caller only gets an error. */
export async function withCleanup<T>(part: Promise<T>, cleanUp: () => void): Promise<T> {
  try {
    return await part;
  } catch (error) {
    cleanUp();
    throw error;
  }
}
