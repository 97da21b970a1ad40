import type { Handlers } from '../../core/http/handler.ts';
import { refuseKeys } from '../users/rights.ts';
import { confirmationsOf } from '../users/sign-in.ts';
import { countRecoveryCodes, findFactor } from './queries.ts';
import {
  confirmFactor,
  createFactor,
  createRecoveryCodes,
  removeFactor,
  resetFactor,
  signInWithCode,
} from './service.ts';

export const secondFactor: Handlers<'secondFactor'> = {
  signIn: (context, { body }) => signInWithCode(context, body.token, body.code),

  read: async ({ db, user }) => {
    refuseKeys(user);
    const { userId } = user;
    return {
      is_on: (await findFactor(db, userId))?.is_confirmed === 1,
      recovery_codes: await countRecoveryCodes(db, userId),
      confirm_by: await confirmationsOf(db, userId),
    };
  },

  begin: async (context, { body }) => createFactor(context, body.confirmation),

  turnOn: async (context, { body }) => ({ recovery_codes: await confirmFactor(context, body.code) }),

  remove: async (context, { body }) => {
    await removeFactor(context, body.confirmation);
    return null;
  },

  makeCodes: async (context, { body }) => ({
    recovery_codes: await createRecoveryCodes(context, body.confirmation),
  }),

  reset: async (context, { params }) => {
    await resetFactor(context, params.id);
    return null;
  },
};
