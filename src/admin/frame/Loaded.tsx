import { type Dispatch, type ReactNode, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react';
import type { Client } from '../../contract/client.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { Failed, LoadingForm } from './Screen.tsx';

/** A value that a screen loads: undefined while loading, null if loading failed. */
export interface LoadedValue<T> {
  value: T | null | undefined;
  load(): Promise<void>;
  set: Dispatch<SetStateAction<T | null | undefined>>;
}

/** Loads a value once it is wanted. */
export function useLoaded<T>(read: (client: Client) => Promise<T>, isWanted = true): LoadedValue<T> {
  const { client } = useSession();
  const [value, set] = useState<T | null>();
  const latest = useRef(read);
  latest.current = read;
  const load = useCallback(async () => {
    set((before) => before ?? undefined);
    set(await latest.current(client).catch(() => null));
  }, [client]);
  useEffect(() => {
    if (isWanted) void load();
  }, [load, isWanted]);
  return { value, load, set };
}

/** Shows a loaded value, or why there is none. */
export function Loaded<T>({
  of: { value, load },
  what,
  loading = <LoadingForm />,
  children,
}: {
  of: LoadedValue<T>;
  /** Subject of the error message, such as "The usage". */
  what: string;
  loading?: ReactNode;
  children(value: T): ReactNode;
}) {
  if (value === undefined) return loading;
  if (value === null) return <Failed what={`${what} could not be loaded`} onRetry={() => void load()} />;
  return children(value);
}
