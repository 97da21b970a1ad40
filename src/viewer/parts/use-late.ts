import { useEffect, useRef, useState } from 'react';

/**
 * A lazily loaded part.
 * @param fetchPart an import; must be a stable function
 * @param onBroken called if its code fails; a failed request is repeated
 * @returns undefined until loaded
 */
export function useLate<T>(fetchPart: () => Promise<T>, onBroken: () => void): T | undefined {
  const [part, setPart] = useState<T>();
  const broken = useRef(onBroken);
  broken.current = onBroken;
  useEffect(() => {
    let isOver = false;
    fetchPart().then(
      (found) => !isOver && setPart(() => found),
      () => !isOver && broken.current(),
    );
    return () => {
      isOver = true;
    };
  }, [fetchPart]);
  return part;
}
