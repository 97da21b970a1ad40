/** A value that the browser keeps between visits; memory where it keeps nothing. */
export interface StoredText {
  get(): string | null;
  /** @returns whether the browser has kept it */
  set(value: string | null): boolean;
}

/**
 * The browser's storage, here and nowhere else. Private windows may refuse it; the value then lives with the page.
 * @param scope whether it is kept for all windows, or for this one until it is closed
 */
export function storedText(key: string, scope: 'local' | 'window' = 'local'): StoredText {
  const storage = () => (scope === 'local' ? localStorage : sessionStorage);
  let memory: string | null = null;
  return {
    get: () => {
      try {
        return storage().getItem(key) ?? memory;
      } catch {
        return memory;
      }
    },
    set: (value) => {
      memory = value;
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, value);
        return true;
      } catch {
        // Nothing is lost as long as the page is there: it remembers by itself.
        return false;
      }
    },
  };
}
