import type { Database } from '../../base/db/database.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import type { CallContext } from '../../store/call-context.ts';
import { listEndpoints, type StoredEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';

/** Runs a change of the tree while nobody else changes it. */
export async function lockTree(
  context: CallContext,
  change: (db: Database, all: StoredEndpoint[]) => Promise<void>,
): Promise<void> {
  const { organizationId } = context;
  await withinQuotas(context, ['tokens'], async (db) => {
    await lockOrganization(db, organizationId);
    await change(db, await listEndpoints(db, organizationId));
  });
}
