import type { Handlers } from '../../core/http/handler.ts';
import { findOrganization } from '../organizations/queries.ts';
import { findProvider } from './queries.ts';
import { goToProvider, readSignIn, returnFromProvider, updateSignIn } from './service.ts';

export const signIn: Handlers<'signIn'> = {
  options: async ({ db, organizationId }) => {
    const { has_password_sign_in } = await findOrganization(db, organizationId);
    const row = await findProvider(db, organizationId);
    return { has_password: has_password_sign_in === 1, provider: row?.button_text ?? null };
  },

  begin: async (context) => ({ url: await goToProvider(context) }),

  complete: (context, { body }) => returnFromProvider(context, body),

  read: readSignIn,

  update: async (context, { body }) => {
    await updateSignIn(context, body);
    return readSignIn(context);
  },
};
