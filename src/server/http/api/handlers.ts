import { accessTokens } from '../../areas/access-tokens/handlers.ts';
import { account } from '../../areas/account/handlers.ts';
import { apiKeys } from '../../areas/api-keys/handlers.ts';
import { audit } from '../../areas/audit/handlers.ts';
import { bin } from '../../areas/bin/handlers.ts';
import { bulkWith } from '../../areas/bulk/handlers.ts';
import { elements } from '../../areas/elements/handlers.ts';
import { endpoints } from '../../areas/endpoints/handlers.ts';
import { feeds } from '../../areas/feeds/handlers.ts';
import { history } from '../../areas/history/handlers.ts';
import { signIn } from '../../areas/identity-providers/handlers.ts';
import { imports } from '../../areas/imports/handlers.ts';
import { liveStreams } from '../../areas/live-streams/handlers.ts';
import { media } from '../../areas/media/handlers.ts';
import { onboarding } from '../../areas/onboarding/handlers.ts';
import { modules, organizations } from '../../areas/organizations/handlers.ts';
import { passkeys } from '../../areas/passkeys/handlers.ts';
import { platforms } from '../../areas/platforms/handlers.ts';
import { privacy } from '../../areas/privacy/handlers.ts';
import { publications } from '../../areas/publications/handlers.ts';
import { revisions } from '../../areas/revisions/handlers.ts';
import { rooms } from '../../areas/rooms/handlers.ts';
import { secondFactor } from '../../areas/second-factors/handlers.ts';
import { statistics } from '../../areas/statistics/handlers.ts';
import { templates } from '../../areas/templates/handlers.ts';
import { users } from '../../areas/users/handlers.ts';
import { videos } from '../../areas/videos/handlers.ts';
import { visit } from '../../areas/visit/handlers.ts';
import { webhooks } from '../../areas/webhooks/handlers.ts';
import { type AllHandlers, handlerOf } from './register.ts';

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
  publications,
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
  bin,
  bulk: bulkWith((area, name) => handlerOf(handlers, area, name)),
  onboarding,
  audit,
  privacy,
  imports,
  statistics,
  webhooks,
};
