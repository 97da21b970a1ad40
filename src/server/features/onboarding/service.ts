import type { Area } from '../../../contract/entities.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { requireRight } from '../users/rights.ts';
import { removeDemo as moveToBin } from './steps.ts';

/** Areas that the demo covers. */
const AREAS: readonly Area[] = ['rooms', 'endpoints', 'templates', 'settings'];

/**
 * Removes the demo, if the caller may remove all of its parts.
 * @throws ApiError forbidden without the rights
 */
export async function removeDemo(context: SignedInContext): Promise<{ entries: number[]; kept: number }> {
  for (const area of AREAS) requireRight(context, area, 'delete');
  return moveToBin(context);
}
