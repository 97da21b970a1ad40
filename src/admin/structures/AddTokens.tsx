import type { Endpoint } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { BulkDialog } from '../access-tokens/BulkDialog.tsx';

/** Adds access tokens to the open structure. */
export function AddTokens({ endpoint: { id, name }, onClose }: { endpoint: Endpoint; onClose(isDone: boolean): void }) {
  const { client } = useSession();
  return (
    <BulkDialog
      endpoint={{ id, name }}
      createMany={async (body) => void (await client.accessTokens.createMany({ body }))}
      onClose={onClose}
    />
  );
}
