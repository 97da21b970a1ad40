import { useEffect, useState } from 'react';

/** Failed style sheets. A repeated import retries only scripts, so these are reloaded separately. */
const lostStyles = new Set<HTMLLinkElement>();

const noteLost = ({ target }: Event) => {
  if (target instanceof HTMLLinkElement) lostStyles.add(target);
};

function askForLostStyles(): void {
  for (const link of lostStyles) link.replaceWith(link.cloneNode());
  lostStyles.clear();
}

/**
 * A lazily loaded part. A failed load doesn't affect other parts, and is retried the next time the part is shown.
 * @param fetchPart an import; must be a stable function
 * @param onFailed called if loading fails
 * @returns undefined until loaded
 */
export function useLate<T>(fetchPart: () => Promise<T>, onFailed: () => void): T | undefined {
  const [part, setPart] = useState<T>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    let isOver = false;
    askForLostStyles();
    addEventListener('error', noteLost, true);
    fetchPart().then(
      (found) => !isOver && setPart(() => found),
      () => !isOver && setFailed(true),
    );
    return () => {
      isOver = true;
      removeEventListener('error', noteLost, true);
    };
  }, [fetchPart]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: report once, to the latest callback.
  useEffect(() => {
    if (isFailed) onFailed();
  }, [isFailed]);
  return part;
}
