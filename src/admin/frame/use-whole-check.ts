import { useEffect, useRef } from 'react';
import type { Client } from '../../contract/client.ts';
import { type LoadedValue, useLoaded } from './Loaded.tsx';

/** Maximum number of spaces that the server checks. */
const MAX_CHECKED = 5000;
/** Maximum number of further calls, and milliseconds between them. */
const MAX_CALLS = 50;
const PAUSE = 500;

/** How many spaces a check covers. */
interface Checked {
  rooms_checked: number;
  rooms_total: number;
}

/**
 * Loads a check of all spaces until it is complete. A call checks only some of the spaces that changed, and several
 * server processes don't share what they have checked, so a call may cover fewer spaces than the one before.
 */
export function useWholeCheck<T extends Checked>(
  read: (client: Client) => Promise<T>,
  isWanted = true,
): LoadedValue<T> & { isPart: boolean } {
  const loaded = useLoaded(read, isWanted);
  const { value, load } = loaded;
  const calls = useRef(0);
  const isPart = value ? value.rooms_checked < Math.min(value.rooms_total, MAX_CHECKED) : false;
  useEffect(() => {
    if (!value || !isPart || calls.current >= MAX_CALLS) return;
    const timer = setTimeout(() => {
      calls.current++;
      void load();
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [value, isPart, load]);
  return { ...loaded, isPart };
}
