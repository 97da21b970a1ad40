import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../base/db/database.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedIn } from '../../store/call-context.ts';
import { asPasskey, listPasskeys, type StoredPasskey, takePasskey } from '../../store/passkeys/passkeys-repository.ts';
import { addressSubject, countAgainst } from '../../store/sessions/attempts.ts';
import { completeSignIn } from '../../store/sign-in/complete-sign-in.ts';
import { giveConfirmation, takeConfirmation } from '../../store/sign-in/confirm-own.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { findUserById } from '../../store/users/users-repository.ts';
import type { Handlers } from '../handler.ts';
import { addPasskey, beginPasskey } from './add-passkey.ts';
import { askForPasskey, badPasskey, checkPasskey } from './check-passkey.ts';

/** Sign-ins with a passkey that one address may begin in the window, and answers that it may send: none can be guessed. */
const MOST = 400;

const limitsOf = (address: string) => [{ subject: `passkey:${addressSubject(address)}`, most: MOST }];

const signInStep = { purpose: 'passkey_sign_in' } as const;
const confirmStep = ({ userId, session }: SignedIn) =>
  ({ purpose: 'passkey_confirm', userId, boundTo: session }) as const;

/** @throws ApiError not_found when the user has no such passkey */
async function one(db: Database, { userId }: SignedIn, id: number): Promise<StoredPasskey> {
  const row = (await listPasskeys(db, userId)).find((passkey) => passkey.id === id);
  if (!row) throw new ApiError('not_found');
  return row;
}

export const passkeys: Handlers<'passkeys'> = {
  beginSignIn: async (context) => {
    const { db, clock, address } = context;
    await countAgainst(db, clock, limitsOf(address));
    return { options: await askForPasskey(context, signInStep) };
  },

  signIn: async (context, { body }) => {
    const { db, clock, address } = context;
    await countAgainst(db, clock, limitsOf(address));
    const { passkey, counter } = await checkPasskey(context, signInStep, body.answer);
    const row = await findUserById(db, passkey.user_id);
    if (row?.is_active !== 1) throw badPasskey();
    return completeSignIn(context, row, {
      method: 'passkey',
      details: { passkey: passkey.name },
      use: async (transaction) => {
        if (!(await takePasskey(transaction, clock, passkey, counter))) throw badPasskey();
      },
    });
  },

  beginConfirm: async (context) => {
    const user = context.user!;
    refuseKeys(user);
    const own = await listPasskeys(context.db, user.userId);
    return { options: await askForPasskey(context, confirmStep(user), own) };
  },

  confirm: async (context, { body }) => {
    const { db, clock, address } = context;
    const user = context.user!;
    refuseKeys(user);
    await countAgainst(db, clock, limitsOf(address));
    const { passkey, counter } = await checkPasskey(context, confirmStep(user), body.answer);
    if (passkey.user_id !== user.userId || !(await takePasskey(db, clock, passkey, counter))) throw badPasskey();
    return { confirmation: await giveConfirmation(context, user) };
  },

  list: async ({ db, user }) => {
    refuseKeys(user!);
    return (await listPasskeys(db, user!.userId)).map(asPasskey);
  },

  begin: async (context, { body }) => {
    refuseKeys(context.user!);
    return { options: await beginPasskey(context, body.confirmation) };
  },

  add: async (context, { body }) => {
    refuseKeys(context.user!);
    return asPasskey(await addPasskey(context, body));
  },

  rename: async ({ db, user }, { params, body }) => {
    refuseKeys(user!);
    const row = await one(db, user!, params.id);
    await db.updateTable('passkeys').set({ name: body.name }).where('id', '=', row.id).execute();
    return asPasskey({ ...row, name: body.name });
  },

  remove: async (context, { params, body }) => {
    const user = context.user!;
    refuseKeys(user);
    await context.db.transaction().execute(async (db) => {
      const row = await one(db, user, params.id);
      await takeConfirmation(db, context, body.confirmation);
      await db.deleteFrom('passkeys').where('id', '=', row.id).execute();
      await recordEvent(db, context, { event: 'passkey_removed', subject: row.name });
    });
    return null;
  },
};
