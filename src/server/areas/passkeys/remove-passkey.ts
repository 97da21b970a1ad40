import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { deletePasskey } from '../../store/passkeys/passkeys-repository.ts';
import { takeConfirmation } from '../../store/sign-in/confirm-own.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { findOwnPasskey } from './find-own-passkey.ts';

/** Removes a passkey of the caller. @throws ApiError not_found, or invalid when it was not confirmed */
export async function removePasskey(context: SignedInContext, id: number, confirmation: string): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    const row = await findOwnPasskey(db, user, id);
    await takeConfirmation(db, context, confirmation);
    await deletePasskey(db, row.id);
    await recordEvent(db, context, { event: 'passkey_removed', subject: row.name });
  });
}
