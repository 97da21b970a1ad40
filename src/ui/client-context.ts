import { createContext, useContext } from 'react';
import type { Client } from '../contract/client.ts';

export const ClientContext = createContext<Client | null>(null);

/** The client that speaks for the signed-in user, for every part below the provider. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('There is no client above this part.');
  return client;
}
