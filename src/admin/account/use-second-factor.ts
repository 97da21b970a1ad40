import { useCallback, useEffect, useState } from 'react';
import type { SecondFactor } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';

/** The user's second factor: undefined while loading, null if loading failed. */
export function useSecondFactor() {
  const { client } = useSession();
  const [factor, setFactor] = useState<SecondFactor | null>();
  const load = useCallback(async () => setFactor(await client.secondFactor.read().catch(() => null)), [client]);
  useEffect(() => void load(), [load]);
  return { factor, load };
}
