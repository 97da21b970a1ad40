import { Badge } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSession } from '../../ui/session/session-context.ts';
import { WaitingStore } from './waiting-store.ts';

/** Number of messages waiting for approval, kept up to date for users who may approve them. */
export function useWaiting(): WaitingStore {
  const session = useSession();
  const [waiting] = useState(() => new WaitingStore(session.client));
  const mayLook = session.may('settings', 'view_any');
  useEffect(() => (mayLook ? waiting.follow() : undefined), [waiting, mayLook]);
  return waiting;
}

/** Badge with the number of messages waiting for approval. */
export const Waiting = ({ count }: { count: number }) => (
  <Badge size="sm" circle={count < 10} title={`${count} waiting for approval`}>
    {count > 99 ? '99+' : count}
  </Badge>
);
