import { createContext, useContext } from 'react';
import type { SessionStore } from './session-store.ts';

export const SessionContext = createContext<SessionStore | null>(null);

/** Session of the signed-in user. */
export function useSession(): SessionStore {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session above this screen.');
  return session;
}
