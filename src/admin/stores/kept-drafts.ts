import { storedText } from '../../ui/storage.ts';

const storage = (path: string) => storedText(`enfilade.draft:${path}`);

/** Keeps what was typed into the form of a path, for after the next sign-in. */
export function keepDraft(path: string, draft: object): void {
  storage(path).set(JSON.stringify(draft));
}

/** Gives what was typed into the form of a path before the session ended, once. */
export function takeDraft(path: string): object | null {
  const kept = storage(path);
  const text = kept.get();
  if (text === null) return null;
  kept.set(null);
  try {
    const draft: unknown = JSON.parse(text);
    return typeof draft === 'object' ? draft : null;
  } catch {
    return null;
  }
}
