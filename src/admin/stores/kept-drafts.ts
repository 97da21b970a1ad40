import { storedText } from '../../ui/storage.ts';

const storage = (path: string) => storedText(`enfilade.draft:${path}`);

/** Keeps a form's draft by path until the next sign-in. */
export function keepDraft(path: string, draft: object): void {
  storage(path).set(JSON.stringify(draft));
}

/** Returns and removes the kept draft of a path. */
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
