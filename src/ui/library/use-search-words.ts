import { useEffect, useState } from 'react';

/** Debounce in milliseconds. */
const SEARCH_DELAY = 300;

/**
 * Debounced search input.
 * @param current the active search
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
