import { useEffect, useState } from 'react';

/**
 * A lazily loaded part.
 * @param fetchPart an import; must be a stable function
 * @returns undefined until loaded
 */
export function useLate<T>(fetchPart: () => Promise<T>): T | undefined {
  const [part, setPart] = useState<T>();
  useEffect(() => {
    let isOver = false;
    void fetchPart().then((found) => !isOver && setPart(() => found));
    return () => {
      isOver = true;
    };
  }, [fetchPart]);
  return part;
}
