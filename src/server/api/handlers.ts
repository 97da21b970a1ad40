import { accessTokens } from '../access-tokens/handlers.ts';
import { apiKeys } from '../api-keys/handlers.ts';
import { audit } from '../audit/handlers.ts';
import { elements } from '../elements/handlers.ts';
import { endpoints } from '../endpoints/handlers.ts';
import { feeds } from '../feeds/handlers.ts';
import { history } from '../history/handlers.ts';
import { signIn } from '../identity-providers/handlers.ts';
import { imports } from '../imports/handlers.ts';
import { liveStreams } from '../live-streams/handlers.ts';
import { media } from '../media/handlers.ts';
import { modules, organizations } from '../organizations/handlers.ts';
import { passkeys } from '../passkeys/handlers.ts';
import { platforms } from '../platforms/handlers.ts';
import { privacy } from '../privacy/handlers.ts';
import { revisions } from '../revisions/handlers.ts';
import { rooms } from '../rooms/handlers.ts';
import { secondFactor } from '../second-factors/handlers.ts';
import { templates } from '../templates/handlers.ts';
import { account } from '../users/account-handlers.ts';
import { users } from '../users/handlers.ts';
import { videos } from '../videos/handlers.ts';
import { visit } from '../visit/handlers.ts';
import type { AllHandlers } from './register.ts';

/** The handlers of every call. */
export const handlers: AllHandlers = {
  users,
  account,
  secondFactor,
  passkeys,
  signIn,
  apiKeys,
  rooms,
  revisions,
  elements,
  templates,
  endpoints,
  accessTokens,
  liveStreams,
  videos,
  feeds,
  organizations,
  modules,
  platforms,
  visit,
  media,
  history,
  audit,
  privacy,
  imports,
};
