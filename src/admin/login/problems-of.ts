import { ApiError } from '../../contract/errors.ts';

/** Why a call failed, as sentences; those of a field that shows them itself are left out. */
export function problemsOf(error: unknown, shown: readonly string[] = []): string[] {
  if (!(error instanceof ApiError)) return ['The server could not be reached. Try again.'];
  const texts = Object.entries(error.msg)
    .filter(([name]) => !shown.includes(name))
    .flatMap(([, list]) => list);
  // What is said of fields says itself what to do; no field of these forms bears the names.
  if (error.code === 'invalid') return texts;
  return texts.length > 0 ? [...texts, error.suggestion] : [];
}
