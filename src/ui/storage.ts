/** A stored value; kept in memory if storage is unavailable. */
export interface StoredText {
  get(): string | null;
  /** @returns whether it was stored */
  set(value: string | null): boolean;
}

/**
 * Wrapper for browser storage. If storage is denied, as in some private windows, values live in memory.
 * @param scope all windows, or this one until it closes
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
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, value);
        // Other windows may remove the value.
        memory = null;
        return true;
      } catch {
        memory = value;
        return false;
      }
    },
  };
}
