import type { WebAuthnCredential } from '@simplewebauthn/server';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Passkey } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { PasskeyTable } from './table.ts';

export type StoredPasskey = Selectable<PasskeyTable>;

export const asPasskey = ({ id, name, created_at, last_used_at }: StoredPasskey): Passkey => ({
  id,
  name,
  created_at,
  last_used_at,
});

/** A passkey in the format of the WebAuthn library. */
export const asCredential = (row: StoredPasskey): WebAuthnCredential => ({
  id: row.credential_id,
  publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
  counter: row.counter,
  transports: JSON.parse(row.transports),
});

/** The passkeys of a user, newest first. @param site only those for this host name */
export async function listPasskeys(db: Database, userId: number, site?: string): Promise<StoredPasskey[]> {
  const found = db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id', 'desc');
  return (site === undefined ? found : found.where('site', '=', site)).execute();
}

/** Finds a passkey by credential among all users, if it is for this host name. */
export async function findPasskey(
  db: Database,
  credentialId: string,
  site: string,
): Promise<StoredPasskey | undefined> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .where('site', '=', site)
    .executeTakeFirst();
}

/**
 * Records a use; of concurrent uses with the same counter, only one succeeds.
 * @param counter the device's counter
 */
export async function takePasskey(db: Database, clock: Clock, row: StoredPasskey, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: timestampOf(clock.now()) })
    .where('id', '=', row.id)
    .where('counter', '=', row.counter)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Adds a passkey.
 * @returns undefined if any user already has this credential
 */
export async function insertPasskey(
  db: Database,
  values: Insertable<PasskeyTable>,
): Promise<StoredPasskey | undefined> {
  return db
    .insertInto('passkeys')
    .values(values)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updatePasskey(db: Database, id: number, values: Updateable<PasskeyTable>): Promise<void> {
  await db.updateTable('passkeys').set(values).where('id', '=', id).execute();
}

export async function deletePasskey(db: Database, id: number): Promise<void> {
  await db.deleteFrom('passkeys').where('id', '=', id).execute();
}

/** Deletes all passkeys of a user. @returns the number of deleted passkeys */
export async function deletePasskeysOf(db: Database, userId: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst();
  return Number(numDeletedRows);
}
