import { useEffect, useState } from 'react';

/** Styles that did not come. An import that is repeated asks for its scripts only, so these are asked for besides. */
const lostStyles = new Set<HTMLLinkElement>();

const noteLost = ({ target }: Event) => {
  if (target instanceof HTMLLinkElement) lostStyles.add(target);
};

function askForLostStyles(): void {
  for (const link of lostStyles) link.replaceWith(link.cloneNode());
  lostStyles.clear();
}

/**
 * A part of the page that is fetched when it is first shown. One that cannot be fetched takes nothing else along, and is
 * asked for again when it is shown again.
 * @param fetchPart an import; always the same function
 * @param onFailed told when the part cannot be fetched
 * @returns undefined until it is there
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, whoever listens by then.
  useEffect(() => {
    if (isFailed) onFailed();
  }, [isFailed]);
  return part;
}
