import type { AccessToken } from '../../contract/entities.ts';

/** Where a token is in its life, in words. */
export function tokenState({ valid_from, valid_till, first_used_at }: AccessToken, now: Date) {
  if (valid_till !== null && new Date(valid_till) <= now) return { label: 'Expired', color: 'gray' } as const;
  if (valid_from !== null && new Date(valid_from) > now) return { label: 'Not yet valid', color: 'gray' } as const;
  return first_used_at === null
    ? ({ label: 'Unused', color: 'brass' } as const)
    : ({ label: 'Running', color: 'teal' } as const);
}
