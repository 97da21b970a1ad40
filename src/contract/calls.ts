import { accessTokens } from './calls/access-tokens.ts';
import { accessibility } from './calls/accessibility.ts';
import { account } from './calls/account.ts';
import { apiKeys } from './calls/api-keys.ts';
import { audit } from './calls/audit.ts';
import { bin } from './calls/bin.ts';
import { blocks } from './calls/blocks.ts';
import { bulk } from './calls/bulk.ts';
import { checkIn } from './calls/check-in.ts';
import { elements } from './calls/elements.ts';
import { endpoints } from './calls/endpoints.ts';
import { feeds } from './calls/feeds.ts';
import { folders, mediaFolders } from './calls/folders.ts';
import { history } from './calls/history.ts';
import { iiif } from './calls/iiif.ts';
import { imports } from './calls/imports.ts';
import { liveStreams } from './calls/live-streams.ts';
import { mail } from './calls/mail.ts';
import { mailings } from './calls/mailings.ts';
import { media } from './calls/media.ts';
import { onboarding } from './calls/onboarding.ts';
import { modules, organizations } from './calls/organizations.ts';
import { passkeys } from './calls/passkeys.ts';
import { platforms } from './calls/platforms.ts';
import { privacy } from './calls/privacy.ts';
import { proposals } from './calls/proposals.ts';
import { publications } from './calls/publications.ts';
import { revisions } from './calls/revisions.ts';
import { rooms } from './calls/rooms.ts';
import { secondFactor } from './calls/second-factor.ts';
import { signIn } from './calls/sign-in.ts';
import { statistics } from './calls/statistics.ts';
import { templates } from './calls/templates.ts';
import { tours } from './calls/tours.ts';
import { translations, translationWebhook } from './calls/translations.ts';
import { users } from './calls/users.ts';
import { videos } from './calls/videos.ts';
import { visit } from './calls/visit.ts';
import { webhooks } from './calls/webhooks.ts';

/** Path prefix of all calls. */
export const API_PREFIX = '/api/v1';

/** The call table: every call of the API by area and name. */
export const calls = {
  users,
  account,
  secondFactor,
  passkeys,
  signIn,
  apiKeys,
  rooms,
  folders,
  revisions,
  proposals,
  publications,
  translations,
  elements,
  blocks,
  templates,
  endpoints,
  accessTokens,
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
  bulk,
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

export type Calls = typeof calls;
