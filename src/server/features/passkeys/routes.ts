import type { SignedIn } from '../../core/http/call-context.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { addressSubject, countAgainst } from '../../core/limits/attempts.ts';
import { findUserById } from '../users/queries.ts';
import { refuseKeys } from '../users/rights.ts';
import { completeSignIn, giveConfirmation } from '../users/sign-in.ts';
import { asPasskey, listPasskeys, takePasskey, updatePasskey } from './queries.ts';
import {
  askForPasskey,
  badPasskey,
  beginPasskey,
  checkPasskey,
  createPasskey,
  findOwnPasskey,
  removePasskey,
} from './service.ts';

/** Passkey sign-ins, and responses, per client address and window; generous, because passkeys can't be guessed. */
const MAX_CHALLENGES = 400;

const limitsOf = (address: string) => [{ subject: `passkey:${addressSubject(address)}`, most: MAX_CHALLENGES }];

const signInStep = { purpose: 'passkey_sign_in' } as const;
const confirmStep = ({ userId, session }: SignedIn) =>
  ({ purpose: 'passkey_confirm', userId, boundTo: session }) as const;

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
    const user = context.user;
    refuseKeys(user);
    const own = await listPasskeys(context.db, user.userId);
    return { options: await askForPasskey(context, confirmStep(user), own) };
  },

  confirm: async (context, { body }) => {
    const { db, clock, address } = context;
    const user = context.user;
    refuseKeys(user);
    await countAgainst(db, clock, limitsOf(address));
    const { passkey, counter } = await checkPasskey(context, confirmStep(user), body.answer);
    if (passkey.user_id !== user.userId || !(await takePasskey(db, clock, passkey, counter))) throw badPasskey();
    return { confirmation: await giveConfirmation(context, user) };
  },

  list: async ({ db, user }) => {
    refuseKeys(user);
    return (await listPasskeys(db, user.userId)).map(asPasskey);
  },

  begin: async (context, { body }) => {
    refuseKeys(context.user);
    return { options: await beginPasskey(context, body.confirmation) };
  },

  add: async (context, { body }) => {
    refuseKeys(context.user);
    return asPasskey(await createPasskey(context, body));
  },

  rename: async ({ db, user }, { params, body }) => {
    refuseKeys(user);
    const row = await findOwnPasskey(db, user, params.id);
    await updatePasskey(db, row.id, { name: body.name });
    return asPasskey({ ...row, name: body.name });
  },

  remove: async (context, { params, body }) => {
    await removePasskey(context, params.id, body.confirmation);
    return null;
  },
};
