import { useEffect, useState } from 'react';

/** Milliseconds without a key after which a library is searched. */
const SEARCH_DELAY = 300;

/**
 * What is typed into a search, which begins when somebody stops typing.
 * @param current what is searched now
 */
export function useSearchWords(current: string, search: (words: string) => void): [string, (words: string) => void] {
  const [words, setWords] = useState('');
  useEffect(() => {
    if (words === current) return;
    const timer = setTimeout(() => search(words), SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [words, current, search]);
  return [words, setWords];
}
