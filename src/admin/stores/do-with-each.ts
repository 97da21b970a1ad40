import { ApiError } from '../../contract/errors.ts';

/** What went wrong, and what to do, as a person reads it. */
export const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? `${error.message} ${error.suggestion}` : 'The server could not be reached. Try again.';

/**
 * Does something with entries of a list one after another.
 * @param work gives false where nothing was to be done
 * @returns those with which it was done, and why others were left as they are, as sentences
 */
export async function doWithEach(
  ids: readonly number[],
  work: (id: number) => Promise<unknown>,
): Promise<{ done: number[]; problems: string[] }> {
  const done: number[] = [];
  const problems = new Set<string>();
  for (const id of ids)
    try {
      if ((await work(id)) !== false) done.push(id);
    } catch (error) {
      problems.add(sentenceOf(error));
    }
  return { done, problems: [...problems] };
}
