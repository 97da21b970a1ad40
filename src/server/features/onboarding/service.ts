import type { Area } from '../../../contract/entities.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { requireRight } from '../users/rights.ts';
import { removeDemo as moveToBin } from './steps.ts';

/** Areas of what the demo consists of. */
const AREAS: readonly Area[] = ['rooms', 'endpoints', 'templates', 'settings'];

/**
 * Removes the demo, for whoever may remove all that it consists of.
 * @throws ApiError forbidden without the rights
 */
export async function removeDemo(context: SignedInContext): Promise<{ entries: number[]; kept: number }> {
  for (const area of AREAS) requireRight(context, area, 'delete');
  return moveToBin(context);
}
