import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../base/db/database.ts';
import type { SignedIn } from '../../store/call-context.ts';
import { listPasskeys, type StoredPasskey } from '../../store/passkeys/passkeys-repository.ts';

/** @throws ApiError not_found when the user has no such passkey */
export async function findOwnPasskey(db: Database, { userId }: SignedIn, id: number): Promise<StoredPasskey> {
  const row = (await listPasskeys(db, userId)).find((passkey) => passkey.id === id);
  if (!row) throw new ApiError('not_found');
  return row;
}
