import { demoParts } from '../../store/onboarding/demo-parts.ts';
import { readSteps } from '../../store/onboarding/read-steps.ts';
import { readPreferences, storePreferences } from '../../store/users/preferences.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import type { Handlers } from '../handler.ts';
import { removeDemo } from './service.ts';

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
    await storePreferences(db, user.userId, { is_onboarding_dismissed: body.is_dismissed });
    return null;
  },

  removeDemo: async (context) => removeDemo(context),
};
