import type { Handlers } from '../../core/http/handler.ts';
import { readPreferences, storePreferences } from '../users/queries.ts';
import { refuseKeys } from '../users/rights.ts';
import { demoParts } from './demo.ts';
import { removeDemo } from './service.ts';
import { readSteps } from './steps.ts';

export const onboarding: Handlers<'onboarding'> = {
  read: async ({ db, organizationId, user }) => {
    const { is_onboarding_dismissed } = await readPreferences(db, user.userId);
    const { rooms, endpoints, templates, settings } = user.policies;
    const sees = { space: rooms, structure: endpoints, template: templates, feed: settings };
    return {
      steps: await readSteps(db, organizationId, user.policies),
      is_dismissed: is_onboarding_dismissed,
      demo: (await demoParts(db, organizationId)).filter(({ kind }) => sees[kind].view_any),
    };
  },

  dismiss: async ({ db, user }, { body }) => {
    refuseKeys(user);
    await storePreferences(db, user.userId, () => ({ is_onboarding_dismissed: body.is_dismissed }));
    return null;
  },

  removeDemo: async (context) => removeDemo(context),
};
