import { accessTokens } from '../access-tokens/handlers.ts';
import { apiKeys } from '../api-keys/handlers.ts';
import { elements } from '../elements/handlers.ts';
import { endpoints } from '../endpoints/handlers.ts';
import { feeds } from '../feeds/handlers.ts';
import { history } from '../history/handlers.ts';
import { imports } from '../imports/handlers.ts';
import { liveStreams } from '../live-streams/handlers.ts';
import { media } from '../media/handlers.ts';
import { modules, organizations } from '../organizations/handlers.ts';
import { revisions } from '../revisions/handlers.ts';
import { rooms } from '../rooms/handlers.ts';
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
  visit,
  media,
  history,
  imports,
};
