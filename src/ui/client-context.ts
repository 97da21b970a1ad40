import { createContext, useContext } from 'react';
import type { Client } from '../contract/client.ts';

export const ClientContext = createContext<Client | null>(null);

/** API client of the signed-in user. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('There is no client above this part.');
  return client;
}
