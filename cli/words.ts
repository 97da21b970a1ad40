import type { Layout } from '../engine/document/arrangements/layouts.ts';
import type { Device } from '../engine/document/budget.ts';
import type { TourLinks } from '../engine/document/tour-edits.ts';
import type { TOKEN_ORDERS as TokenOrders } from '../src/contract/calls/access-tokens.ts';
import type { ENDPOINT_ORDERS as EndpointOrders } from '../src/contract/calls/endpoints.ts';
import type { FEED_ORDERS as FeedOrders } from '../src/contract/calls/feeds.ts';
import type { MEDIA_ORDERS as MediaOrders } from '../src/contract/calls/media.ts';
import type { ROOM_ORDERS as RoomOrders } from '../src/contract/calls/rooms.ts';
import type { TEMPLATE_ORDERS as TemplateOrders } from '../src/contract/calls/templates.ts';
import type { USER_ORDERS as UserOrders } from '../src/contract/calls/users.ts';
import type {
  Area,
  ImportMode,
  MediaType,
  Proposal,
  Right,
  ShareState,
  TOKEN_STATES as STATES,
  StatisticsGroup,
  StatisticsInterval,
  WebhookEvent,
} from '../src/contract/entities.ts';
import type { ScormEdition } from '../src/contract/scorm.ts';
import type { Language } from '../src/contract/viewer-texts/limits.ts';

/** Every member of a union type; a missing or unknown one is a type error. */
const keysOf = <T extends string>(words: Record<T, true>) => Object.keys(words) as T[];

// Values of options, as lists in help. They repeat the contract and the engine so that help loads neither.

export const SCORM_EDITIONS = keysOf<ScormEdition>({ '1.2': true, 2004: true });

export const IMPORT_MODES = keysOf<ImportMode>({ create: true, upsert: true, replace: true });

export const TOUR_LINKS = keysOf<TourLinks>({ none: true, consecutive: true, neighbors: true });

export const PROPOSAL_STATES = keysOf<Proposal['state']>({ open: true, merged: true, discarded: true });

export const LAYOUTS = keysOf<Layout>({ row: true, rows: true, salon: true });

export const MEDIA_TYPES = keysOf<MediaType>({
  image: true,
  object: true,
  hdr: true,
  audio: true,
  video: true,
  font: true,
  site: true,
  text_track: true,
  motion: true,
});

export type TokenState = (typeof STATES)[number];
export const TOKEN_STATES = keysOf<TokenState>({ unused: true, running: true, expired: true });

export type { ShareState };
export const SHARE_STATES = keysOf<ShareState>({ waiting: true, shown: true, hidden: true, removed: true });

export type { Language };
export const LANGUAGES = keysOf<Language>({
  en: true,
  de: true,
  fr: true,
  nl: true,
  es: true,
  it: true,
  pt: true,
  pl: true,
  ja: true,
  ar: true,
});

export const DEVICES = keysOf<Device>({ phone: true, desktop: true });

/** Areas of the back-office in which users have rights. */
export const AREAS = keysOf<Area>({
  endpoints: true,
  rooms: true,
  live_streams: true,
  access_tokens: true,
  settings: true,
  templates: true,
  media: true,
});

export const RIGHTS = keysOf<Right>({ view_any: true, create: true, update: true, delete: true });

export type { StatisticsGroup, StatisticsInterval };
export const STATISTICS_GROUP_NAMES = keysOf<StatisticsGroup>({
  structure: true,
  device: true,
  country: true,
  language: true,
  site: true,
  token: true,
  opened: true,
  element: true,
  view_point: true,
  way: true,
});

export const STATISTICS_INTERVALS = keysOf<StatisticsInterval>({ hour: true, day: true, week: true, month: true });

export type { WebhookEvent };
export const WEBHOOK_EVENT_NAMES = keysOf<WebhookEvent>({
  'space.published': true,
  'structure.opened': true,
  'access_token.used': true,
  'share.received': true,
  'stream.started': true,
});

export type RoomOrder = (typeof RoomOrders)[number];
export const ROOM_ORDERS = keysOf<RoomOrder>({ name: true, '-name': true, edited: true, '-edited': true });

export type EndpointOrder = (typeof EndpointOrders)[number];
export const ENDPOINT_ORDERS = keysOf<EndpointOrder>({
  tree: true,
  name: true,
  '-name': true,
  path: true,
  '-path': true,
  schedule: true,
  '-schedule': true,
  updated: true,
  '-updated': true,
});

export type TemplateOrder = (typeof TemplateOrders)[number];
export const TEMPLATE_ORDERS = keysOf<TemplateOrder>({ name: true, '-name': true, edited: true, '-edited': true });

export type UserOrder = (typeof UserOrders)[number];
export const USER_ORDERS = keysOf<UserOrder>({
  name: true,
  '-name': true,
  email: true,
  '-email': true,
  seen: true,
  '-seen': true,
});

export type FeedOrder = (typeof FeedOrders)[number];
export const FEED_ORDERS = keysOf<FeedOrder>({
  name: true,
  '-name': true,
  type: true,
  '-type': true,
  edited: true,
  '-edited': true,
});

export type TokenOrder = (typeof TokenOrders)[number];
export const TOKEN_ORDERS = keysOf<TokenOrder>({
  created: true,
  '-created': true,
  token: true,
  '-token': true,
  used: true,
  '-used': true,
  valid_till: true,
  '-valid_till': true,
});

export type MediaOrder = (typeof MediaOrders)[number];
export const MEDIA_ORDERS = keysOf<MediaOrder>({
  '-created': true,
  created: true,
  name: true,
  '-name': true,
  '-bytes': true,
  bytes: true,
});
