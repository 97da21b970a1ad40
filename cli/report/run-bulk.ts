import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../src/contract/client.ts';
import type { BulkJob } from '../../src/contract/entities.ts';

/** Milliseconds between progress requests. */
const PACE = 250;

/** Runs a bulk job, and returns it once it has ended. */
export async function runBulk(
  { bulk }: Client,
  body: Parameters<Client['bulk']['start']>[0]['body'],
): Promise<BulkJob> {
  let job = await bulk.start({ body });
  while (job.state === 'running') {
    await sleep(PACE);
    job = await bulk.read({ params: { id: job.id } });
  }
  return job;
}
