import { sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { Stamp } from './db/column-types.ts';

/** Seconds after which clients and search engines may try a suspended organization again. */
const SUSPENSION_WAIT = 60 * 60;

/** Columns that determine whether an organization is in operation. */
export interface OrganizationState {
  suspended_at: Stamp | null;
  delete_after: Stamp | null;
}

/** Whether an organization is suspended, by itself or because it has been deleted. */
export const isSuspended = ({ suspended_at, delete_after }: OrganizationState): boolean =>
  suspended_at !== null || delete_after !== null;

/** The response to everything that concerns a suspended organization. */
export const suspended = (): ApiError => new ApiError('suspended', undefined, undefined, SUSPENSION_WAIT);

/** @throws ApiError suspended */
export function refuseSuspended(state: OrganizationState): void {
  if (isSuspended(state)) throw suspended();
}

/** Whether an error is this response. */
export const isSuspension = (error: unknown): boolean => error instanceof ApiError && error.code === 'suspended';

/** Ids of suspended organizations, as a subquery: background work skips them. */
export const SUSPENDED_IDS = sql<number>`(
  select id from organizations where suspended_at is not null or delete_after is not null
)`;
