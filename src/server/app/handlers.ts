import { accessTokens } from '../features/access-tokens/routes.ts';
import { accessibility } from '../features/accessibility/routes.ts';
import { account } from '../features/account/routes.ts';
import { apiKeys } from '../features/api-keys/routes.ts';
import { audit } from '../features/audit/routes.ts';
import { bin } from '../features/bin/routes.ts';
import { blocks } from '../features/blocks/routes.ts';
import { bulkWith } from '../features/bulk/routes.ts';
import { checkIn } from '../features/check-in/routes.ts';
import { feeds } from '../features/feeds/routes.ts';
import { folders, mediaFolders } from '../features/folders/routes.ts';
import { history } from '../features/history/routes.ts';
import { signIn } from '../features/identity-providers/routes.ts';
import { iiif } from '../features/iiif/routes.ts';
import { imports, tokenImports } from '../features/imports/routes.ts';
import { learning } from '../features/learning/routes.ts';
import { liveStreams } from '../features/live-streams/routes.ts';
import { mail, mailings } from '../features/mailings/routes.ts';
import { media } from '../features/media-library/routes.ts';
import { onboarding } from '../features/onboarding/routes.ts';
import { modules, organizations } from '../features/organization-settings/routes.ts';
import { passkeys } from '../features/passkeys/routes.ts';
import { platforms } from '../features/platforms/routes.ts';
import { privacy } from '../features/privacy/routes.ts';
import { proposals } from '../features/proposals/routes.ts';
import { publications } from '../features/publications/routes.ts';
import { revisions } from '../features/revisions/routes.ts';
import { elements, rooms } from '../features/rooms/routes.ts';
import { secondFactor } from '../features/second-factors/routes.ts';
import { staticSites } from '../features/static-sites/routes.ts';
import { statistics } from '../features/statistics/routes.ts';
import { endpoints } from '../features/structures/routes.ts';
import { templates } from '../features/templates/routes.ts';
import { tours } from '../features/tours/routes.ts';
import { translations } from '../features/translation-files/routes.ts';
import { translationWebhook } from '../features/translations/routes.ts';
import { users } from '../features/users/routes.ts';
import { videos } from '../features/videos/routes.ts';
import { visit } from '../features/visits/routes.ts';
import { webhooks } from '../features/webhooks/routes.ts';
import { type AllHandlers, handlerOf } from './register.ts';

/** Handlers of all calls. */
export const handlers: AllHandlers = {
  users,
  account,
  secondFactor,
  passkeys,
  signIn,
  apiKeys,
  rooms,
  folders,
  revisions,
  blocks,
  proposals,
  publications,
  translations,
  elements,
  templates,
  endpoints: { ...endpoints, ...staticSites, ...learning },
  accessTokens: { ...accessTokens, ...tokenImports },
  checkIn,
  mailings,
  mail,
  liveStreams,
  videos,
  feeds,
  organizations,
  accessibility,
  modules,
  platforms,
  visit,
  media,
  mediaFolders,
  history,
  bin,
  bulk: bulkWith((area, name) => handlerOf(handlers, area, name)),
  onboarding,
  audit,
  privacy,
  imports,
  tours,
  iiif,
  statistics,
  webhooks,
  translationWebhook,
};
