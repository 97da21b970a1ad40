import { ApiError } from '../../contract/errors.ts';

/** Error messages of a failed call, except those of fields that show their own. */
export function problemsOf(error: unknown, shown: readonly string[] = []): string[] {
  if (!(error instanceof ApiError)) return ['The server could not be reached. Try again.'];
  const texts = Object.entries(error.msg)
    .filter(([name]) => !shown.includes(name))
    .flatMap(([, list]) => list);
  // Field messages already say what to do.
  if (error.code === 'invalid') return texts;
  return texts.length > 0 ? [...texts, error.suggestion] : [];
}
