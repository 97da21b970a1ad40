import { systemClock } from '../../src/server/core/clock.ts';
import type { Shared } from '../../src/server/features/organizations/life-cycle.ts';
import { LifeCycleError } from '../../src/server/features/organizations/life-cycle-error.ts';
import { usageError, wrongError } from '../failure.ts';
import { onMachine } from './machine.ts';
import type { Place } from './place.ts';

/** Runs an operation, and reports why it is refused. */
export async function reportingLifeCycle<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LifeCycleError)) throw error;
    throw (error.isMalformed ? usageError : wrongError)(error.message, error.suggestion);
  }
}

/** Runs an operation on an organization of an existing installation. @param text number of the organization */
export async function onOrganization(
  { data, database }: Place,
  text: string,
  work: (at: Shared, id: number) => Promise<void>,
): Promise<void> {
  await onMachine(
    { ...(data !== undefined && { data }), ...(database !== undefined && { database }) },
    async ({ db, migrate }) => {
      if (!/^\d{1,15}$/.test(text))
        throw wrongError(`Organization ${text} not found.`, 'Run enfilade org list to list organizations.');
      await migrate();
      await reportingLifeCycle(() => work({ db, clock: systemClock }, Number(text)));
    },
    { isThere: true },
  );
}
