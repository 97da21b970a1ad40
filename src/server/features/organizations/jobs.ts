import type { FastifyInstance } from 'fastify';
import { timestampOf } from '../../core/clock.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import type { Services } from '../../core/services.ts';
import { measureMonths } from './months.ts';
import { removeOrganization } from './removal.ts';

/** Milliseconds between measurements of usage, and between checks for organizations whose period has ended. */
const EVERY = { measure: 60 * 60 * 1000, remove: 60 * 1000 };

/** Deletes the data of organizations whose period has ended. */
export async function removeDue(
  services: Services,
  log: FastifyInstance['log'],
  isStopping: () => boolean = () => false,
): Promise<void> {
  const { db, clock } = services;
  const query = db.selectFrom('organizations').select('id').where('delete_after', '<=', timestampOf(clock.now()));
  for (const { id } of await query.orderBy('id').execute())
    if (await removeOrganization(services, id, isStopping))
      log.info({ organization_id: id }, 'The data of an organization was deleted.');
}

/** Measures the usage of organizations, and deletes the data of deleted ones. */
export const keepOrganizations = (app: FastifyInstance, services: Services): void =>
  repeat(app, [
    { name: 'measure usage', every: EVERY.measure, first: 'after', run: () => measureMonths(services) },
    {
      name: 'delete organizations',
      every: EVERY.remove,
      first: 'after',
      run: (stopping) => removeDue(services, app.log, () => stopping.aborted),
    },
  ]);
