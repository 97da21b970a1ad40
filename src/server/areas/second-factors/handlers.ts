import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import {
  confirmFactor,
  countRecoveryCodes,
  findFactor,
  makeRecoveryCodes,
  removeFactor,
  storeSecret,
  takeCode,
} from '../../store/second-factors/second-factors-repository.ts';
import { countCode, forgetCodes } from '../../store/sessions/attempts.ts';
import { confirmationsOf, takeConfirmation } from '../../store/sign-in/confirm-own.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { lockUser } from '../../store/users/users-repository.ts';
import type { Handlers } from '../handler.ts';
import { createSecret, stepOfCode } from './codes.ts';
import { resetFactor } from './reset-factor.ts';
import { signInWithCode } from './sign-in-with-code.ts';

const notOn = () => new ApiError('invalid', 'You have no second factor. Set one up first.');

export const secondFactor: Handlers<'secondFactor'> = {
  signIn: (context, { body }) => signInWithCode(context, body.token, body.code),

  read: async ({ db, user }) => {
    refuseKeys(user!);
    const { userId } = user!;
    return {
      is_on: (await findFactor(db, userId))?.is_confirmed === 1,
      recovery_codes: await countRecoveryCodes(db, userId),
      confirm_by: await confirmationsOf(db, userId),
    };
  },

  begin: async (context, { body }) => {
    const { settings, clock, organizationId } = context;
    const { userId, email } = context.user!;
    refuseKeys(context.user!);
    return context.db.transaction().execute(async (db) => {
      await lockUser(db, organizationId, userId);
      await takeConfirmation(db, context, body.confirmation);
      if ((await findFactor(db, userId))?.is_confirmed === 1)
        throw new ApiError('in_use', 'You have a second factor already. Remove it before you set up another one.');
      const { name } = await db
        .selectFrom('organizations')
        .select('name')
        .where('id', '=', organizationId)
        .executeTakeFirstOrThrow();
      const { secret, uri, sealed } = await createSecret(settings, userId, name, email);
      await storeSecret(db, clock, userId, sealed);
      return { secret, uri };
    });
  },

  turnOn: async (context, { body }) => {
    const { settings, clock, address, organizationId } = context;
    const { userId, email } = context.user!;
    refuseKeys(context.user!);
    await countCode(context.db, clock, userId, address);
    return context.db.transaction().execute(async (db) => {
      await lockUser(db, organizationId, userId);
      const factor = await findFactor(db, userId);
      if (!factor || factor.is_confirmed === 1)
        throw new ApiError('invalid', 'There is nothing to confirm. Begin to set up a second factor again.');
      const code = body.code.replace(/\s/g, '');
      const step = await stepOfCode(settings, userId, factor.secret, code, clock.now());
      if (step === null || !(await takeCode(db, factor, step)))
        throw new ApiError('invalid', { code: ['This code is not right. Enter the one that the app shows now.'] });
      await confirmFactor(db, factor);
      await forgetCodes(db, userId, address);
      await recordEvent(db, context, { event: 'second_factor_added', subject: email });
      return { recovery_codes: await makeRecoveryCodes(db, userId) };
    });
  },

  remove: async (context, { body }) => {
    const { userId, email } = context.user!;
    refuseKeys(context.user!);
    await context.db.transaction().execute(async (db) => {
      await lockUser(db, context.organizationId, userId);
      await takeConfirmation(db, context, body.confirmation);
      if ((await findFactor(db, userId))?.is_confirmed !== 1) throw notOn();
      await removeFactor(db, userId);
      await recordEvent(db, context, { event: 'second_factor_removed', subject: email });
    });
    return null;
  },

  makeCodes: async (context, { body }) => {
    const { organizationId } = context;
    const { userId, email } = context.user!;
    refuseKeys(context.user!);
    return context.db.transaction().execute(async (db) => {
      await lockUser(db, organizationId, userId);
      await takeConfirmation(db, context, body.confirmation);
      if ((await findFactor(db, userId))?.is_confirmed !== 1) throw notOn();
      await recordEvent(db, context, { event: 'recovery_codes_made', subject: email });
      return { recovery_codes: await makeRecoveryCodes(db, userId) };
    });
  },

  reset: async (context, { params }) => {
    await resetFactor(context, params.id);
    return null;
  },
};
