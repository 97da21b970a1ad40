/** State of an access token at a moment. */
export type TokenState = 'expired' | 'not_yet_valid' | 'unused' | 'running';

/** The state of an access token. */
export function tokenStateOf(
  {
    valid_from,
    valid_till,
    first_used_at,
  }: { valid_from: string | null; valid_till: string | null; first_used_at: string | null },
  now: Date,
): TokenState {
  if (valid_till !== null && new Date(valid_till) <= now) return 'expired';
  if (valid_from !== null && new Date(valid_from) > now) return 'not_yet_valid';
  return first_used_at === null ? 'unused' : 'running';
}
