/** A value that the browser keeps between visits; memory where it keeps nothing. */
export interface StoredText {
  get(): string | null;
  /** @returns whether the browser has kept it */
  set(value: string | null): boolean;
}

/** The browser's storage, here and nowhere else. Private windows may refuse it; the value then lives with the page. */
export function storedText(key: string): StoredText {
  let memory: string | null = null;
  return {
    get: () => {
      try {
        return localStorage.getItem(key) ?? memory;
      } catch {
        return memory;
      }
    },
    set: (value) => {
      memory = value;
      try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, value);
        return true;
      } catch {
        // Nothing is lost as long as the page is there: it remembers by itself.
        return false;
      }
    },
  };
}
