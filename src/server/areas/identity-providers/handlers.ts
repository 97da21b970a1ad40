import { findProvider } from '../../store/identity-providers/identity-providers-repository.ts';
import type { Handlers } from '../handler.ts';
import { changeSignIn, readSignIn } from './edit-sign-in.ts';
import { goToProvider, returnFromProvider } from './sign-in-with-provider.ts';

export const signIn: Handlers<'signIn'> = {
  options: async ({ db, organizationId }) => {
    const { has_password_sign_in } = await db
      .selectFrom('organizations')
      .select('has_password_sign_in')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow();
    const row = await findProvider(db, organizationId);
    return { has_password: has_password_sign_in === 1, provider: row?.button_text ?? null };
  },

  begin: async (context) => ({ url: await goToProvider(context) }),

  complete: (context, { body }) => returnFromProvider(context, body),

  read: readSignIn,

  update: async (context, { body }) => {
    await changeSignIn(context, body);
    return readSignIn(context);
  },
};
