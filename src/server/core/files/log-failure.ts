import type { FastifyBaseLogger } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { faultKindOf } from '../db/faults.ts';
import type { Health, PartName } from '../health.ts';
import { isSuspension } from '../organization-state.ts';
import { StorageFault } from './bucket.ts';

/** The dependency an error belongs to. */
function partOf(error: unknown): PartName | undefined {
  if (error instanceof StorageFault) return 's3';
  if (error instanceof ApiError) return undefined;
  switch (faultKindOf(error)) {
    case 'away':
      return 'database';
    case 'full':
      return (error as { code?: string }).code === '53100' ? 'database' : 'disk';
    default:
      return undefined;
  }
}

/** Logs a failure with its cause. While a dependency is unavailable, only its first failure is logged. Requests to a suspended organization are none. */
export function logFailure(health: Health, log: FastifyBaseLogger, error: unknown): void {
  if (isSuspension(error)) return;
  const part = partOf(error);
  const isNews = part === undefined || health.isNews(part);
  log[isNews ? 'error' : 'debug'](error);
}
