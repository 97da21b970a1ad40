import { expect } from 'vitest';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { formOf, PASSWORD, type Sent, type TestUser } from '../../../harness/api-app.ts';
import { changingAccount } from './changing-account.ts';
import { changingMailings } from './changing-mailings.ts';
import { changingOrder } from './changing-order.ts';
import { changingParts } from './changing-parts.ts';
import { changingPosters } from './changing-posters.ts';
import { changingTokens } from './changing-tokens.ts';
import { changingTours } from './changing-tours.ts';
import { changingTranslations } from './changing-translations.ts';
import { changingWebhooks } from './changing-webhooks.ts';

const codes = (...list: string[]) => ({
  field: 'access_tokens_file',
  name: 'codes.csv',
  content: new Blob([list.join('\n')]),
});
/** A file with one thing to import. */
const itemsFile = (item: object | string) => ({
  field: 'items_file',
  name: 'items.ndjson',
  content: new Blob([typeof item === 'string' ? item : JSON.stringify(item)]),
});
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);

/** A password that takes the place of the harness's. */
const NEXT = `${PASSWORD}, too`;

/** Ids of one of each in one organization, and who administers it. */
export interface Fixture {
  room: number;
  folder: number;
  mediaFolder: number;
  group: number;
  image: number;
  template: number;
  endpoint: number;
  other: number;
  token: number;
  media: number;
  /** Two 360° photos, and a template for them. */
  tour: { photos: number[]; template: number; rooms: number[] };
  key: number;
  webhook: number;
  checkInLink: number;
  mailing: number;
  block: number;
  revision: number;
  proposal: number;
  /** A space that is published and scheduled, for which an image stands. */
  published: number;
  user: number;
  email: string;
  reset: string;
  /** What a link to a new address of the administrator carries. */
  newEmail: { email: string; token: string };
  removal: number;
  /** An import that can be taken back. */
  job: number;
  admin: TestUser;
}

/** What one entry must say. */
export interface Said {
  action: string;
  entity: string;
  /** Fields that are in `before` and `after`. */
  before?: object | null;
  after?: object | null;
}

export type Request = Sent & { params?: Record<string, unknown>; query?: string };

/** For each call: a request that changes something, one that is refused, and the entry that the first one leaves. */
export const changingRequests: Record<string, (fixture: Fixture) => { right: Request; wrong: Request; said: Said }> = {
  'rooms.create': () => ({
    right: { body: { title: 'New' } },
    wrong: { body: { title: '' } },
    said: { action: 'create', entity: 'room', before: null, after: { title: 'New' } },
  }),
  'rooms.update': ({ room }) => ({
    right: { params: { id: room }, body: { title: 'Changed', config: { camera: { fov: 60 } } } },
    wrong: { params: { id: room }, body: { template_id: 999_999 } },
    said: {
      action: 'update',
      entity: 'room',
      before: { title: 'Hall', config: { camera: { fov: 50 } } },
      after: { title: 'Changed', config: { camera: { fov: 60 } } },
    },
  }),
  'rooms.remove': ({ room }) => ({
    right: { params: { id: room } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'room', before: { title: 'Hall', elements: 2 }, after: null },
  }),
  'rooms.copy': ({ room }) => ({
    right: { params: { id: room } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'create', entity: 'room', before: null, after: { copied_from: room, elements: 2 } },
  }),
  'rooms.move': ({ room, folder }) => ({
    right: { params: { id: room }, body: { folder_id: folder } },
    wrong: { params: { id: room }, body: { folder_id: 999_999 } },
    said: { action: 'update', entity: 'room', before: { folder_id: null }, after: { folder_id: folder } },
  }),
  'rooms.addElement': ({ room }) => ({
    right: { params: { id: room }, body: { element: 'group', name: 'Third' } },
    wrong: { params: { id: room }, body: { element: 'group', parent_element_id: 999_999 } },
    said: { action: 'create', entity: 'element', before: null, after: { name: 'Third', element: 'group' } },
  }),
  'rooms.commit': ({ room }) => ({
    right: {
      params: { id: room },
      body: {
        client: 'program',
        mutation: 1,
        commands: [{ type: 'element.add', element: { id: -1, element: 'group', name: 'Fourth' } }],
      },
    },
    wrong: {
      params: { id: room },
      body: { client: 'program', mutation: 2, commands: [{ type: 'element.remove', id: 999_999 }] },
    },
    said: { action: 'create', entity: 'element', before: null, after: { name: 'Fourth', element: 'group' } },
  }),
  'elements.update': ({ group }) => ({
    right: { params: { id: group }, body: { name: 'Other' } },
    wrong: { params: { id: group }, body: { parent_element_id: group } },
    said: { action: 'update', entity: 'element', before: { name: 'First' }, after: { name: 'Other' } },
  }),
  'elements.remove': ({ image }) => ({
    right: { params: { id: image } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'element', before: { name: 'Second' }, after: null },
  }),
  'elements.copy': ({ group }) => ({
    right: { params: { id: group } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'create', entity: 'element', after: { copied_from: group, elements: 1 } },
  }),
  'elements.hide': ({ group }) => ({
    right: { params: { id: group, hidden: 1 } },
    wrong: { params: { id: 999_999, hidden: 1 } },
    said: { action: 'update', entity: 'element', before: { hidden: false }, after: { hidden: true } },
  }),
  'elements.reorder': ({ group, image }) => ({
    right: { body: { sort: [image, group] } },
    wrong: { body: { sort: [image, 999_999] } },
    said: { action: 'update', entity: 'room', before: { order: [group, image] }, after: { order: [image, group] } },
  }),
  'elements.position': ({ group }) => ({
    right: { params: { id: group }, body: { position_x: 7 } },
    wrong: { params: { id: group }, body: { position_x: 1e9 } },
    said: { action: 'update', entity: 'element', before: { position_x: 0 }, after: { position_x: 7 } },
  }),
  'revisions.create': ({ room }) => ({
    right: { params: { id: room }, body: { name: 'Opening' } },
    wrong: { params: { id: room }, body: { name: '' } },
    said: { action: 'update', entity: 'room', after: { revision: 'Opening' } },
  }),
  'revisions.rename': ({ revision }) => ({
    right: { params: { id: revision }, body: { name: 'Closing' } },
    wrong: { params: { id: revision }, body: { name: '' } },
    said: { action: 'update', entity: 'room', after: { revision: 'Closing', revision_before: 'Empty' } },
  }),
  'revisions.remove': ({ revision }) => ({
    right: { params: { id: revision } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'update', entity: 'room', after: { revision_removed: 'Empty' } },
  }),
  'revisions.restore': ({ revision }) => ({
    right: { params: { id: revision }, body: {} },
    wrong: { params: { id: revision }, body: { element_id: 999_999 } },
    said: {
      action: 'restore',
      entity: 'room',
      after: { revision: 'Empty', elements: { added: 0, removed: 2, changed: 0 } },
    },
  }),
  'publications.publish': ({ room }) => ({
    right: { params: { id: room }, body: {} },
    wrong: { params: { id: room }, body: { revision_id: 999_999 } },
    said: { action: 'update', entity: 'room', after: { published: expect.any(String) } },
  }),
  'publications.unpublish': ({ published, room }) => ({
    right: { params: { id: published } },
    wrong: { params: { id: room } },
    said: { action: 'update', entity: 'room', after: { unpublished: expect.any(String) } },
  }),
  'publications.cancel': ({ published, room }) => ({
    right: { params: { id: published } },
    wrong: { params: { id: room } },
    said: { action: 'update', entity: 'room', after: { canceled: expect.any(String), zone: 'UTC' } },
  }),
  'publications.createPreviewLink': ({ room }) => ({
    right: { params: { id: room }, body: { expires_in: 3600 } },
    wrong: { params: { id: room }, body: { expires_in: 604_801 } },
    said: { action: 'update', entity: 'room', after: { preview_link: '/one' } },
  }),
  'templates.create': () => ({
    right: { body: { name: 'New' } },
    wrong: { body: { name: 'New', file_id: 999_999 } },
    said: { action: 'create', entity: 'template', before: null, after: { name: 'New' } },
  }),
  'templates.copy': ({ template }) => ({
    right: { params: { id: template }, body: {} },
    wrong: { params: { id: template }, body: { name: '' } },
    said: { action: 'create', entity: 'template', after: { name: 'T (copy)', copied_from: template } },
  }),
  'templates.update': ({ template }) => ({
    right: { params: { id: template }, body: { width: 123 } },
    wrong: { params: { id: template }, body: { logo_file_id: 999_999 } },
    said: { action: 'update', entity: 'template', before: { width: 2000 }, after: { width: 123 } },
  }),
  'templates.remove': ({ template }) => ({
    right: { params: { id: template } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'template', before: { name: 'T' }, after: null },
  }),
  'endpoints.create': ({ room }) => ({
    right: { form: formOf({ name: 'New', room_id: String(room) }, codes('one', 'two', 'one')) },
    wrong: { form: formOf({ name: 'New', room_id: '999999' }) },
    said: { action: 'create', entity: 'endpoint', after: { imported: { accepted: 2, duplicates: 1 } } },
  }),
  'endpoints.createWithRoom': () => ({
    right: {
      body: { endpoint: { name: 'New', slug: 'new' }, room: { title: 'New' }, tokens: { count: 2, length: 10 } },
    },
    wrong: { body: { endpoint: { name: 'New', slug: 'two' }, room: { title: 'Never' } } },
    said: { action: 'create', entity: 'endpoint', after: { slug: 'new', access_tokens: 2 } },
  }),
  'endpoints.copy': ({ endpoint }) => ({
    right: { params: { id: endpoint }, body: { slug: 'other' } },
    wrong: { params: { id: endpoint }, body: { slug: 'two' } },
    said: { action: 'create', entity: 'endpoint', after: { slug: 'other', copied_from: endpoint } },
  }),
  'endpoints.update': ({ endpoint }) => ({
    right: { params: { id: endpoint }, form: formOf({ is_protected: '1' }, codes('three', 'four')) },
    wrong: { params: { id: endpoint }, form: formOf({ name: 'Lost' }, codes('a\u0001b')) },
    said: {
      action: 'import',
      entity: 'endpoint',
      before: { is_protected: false },
      after: { is_protected: true, imported: { accepted: 2, duplicates: 0 } },
    },
  }),
  'endpoints.remove': ({ endpoint }) => ({
    right: { params: { id: endpoint } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'endpoint', before: { slug: 'one' }, after: null },
  }),
  'endpoints.removeAddress': ({ endpoint }) => ({
    right: { params: { id: endpoint }, body: { path: '/one-before' } },
    wrong: { params: { id: endpoint }, body: { path: '/never' } },
    said: { action: 'update', entity: 'endpoint', after: { old_address_removed: '/one-before' } },
  }),
  ...changingOrder,
  ...changingTokens,
  'accessTokens.importFile': ({ endpoint }) => ({
    right: { params: { id: endpoint }, form: formOf({ heading: 'false' }, codes('A secret code', 'known')) },
    wrong: { params: { id: endpoint }, form: formOf({}, codes('')) },
    said: { action: 'import', entity: 'endpoint', after: { imported: { accepted: 1, duplicates: 1 } } },
  }),
  'organizations.update': () => ({
    right: { body: { meta_title: 'Changed' } },
    wrong: { body: { template_id: 999_999 } },
    said: { action: 'update', entity: 'organization', before: { meta_title: '' }, after: { meta_title: 'Changed' } },
  }),
  'organizations.allowSite': () => ({
    right: { body: { site: 'https://www.example.com/page' } },
    wrong: { body: { site: 'https://*.example.com' } },
    said: { action: 'update', entity: 'organization' },
  }),
  'platforms.update': () => ({
    right: { params: { platform: 'vimeo' }, body: { access_token: 'A-secret-code-of-vimeo' } },
    wrong: { params: { platform: 'vimeo' }, body: { location: 'eu_belgium' } },
    said: {
      action: 'update',
      entity: 'organization',
      before: null,
      after: { platform: 'Vimeo', credentials_set: ['access_token'], removed: [] },
    },
  }),
  'users.invite': () => ({
    right: { body: { email: 'new@example.com', name: 'New', policies: allPolicies() } },
    wrong: { body: { email: 'taken@example.com', name: 'New', policies: allPolicies() } },
    said: { action: 'create', entity: 'user', after: { email: 'new@example.com', is_active: true } },
  }),
  'users.update': ({ user }) => ({
    right: { params: { id: user }, body: { is_active: false } },
    wrong: { params: { id: user }, body: { is_active: false, updated_at: 'earlier' } },
    said: { action: 'update', entity: 'user', before: { is_active: true }, after: { is_active: false } },
  }),
  'users.remove': ({ user }) => ({
    right: { params: { id: user } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'user', before: { is_active: true }, after: null },
  }),
  'privacy.eraseUser': ({ email }) => ({
    right: { body: { email } },
    wrong: { body: { email: 'stranger@example.com' } },
    said: { action: 'delete', entity: 'user', name: 'Erased person', before: null, after: null },
  }),
  'users.reset': ({ email, reset }) => ({
    right: { body: { email, token: reset, password: NEXT, password_confirmation: NEXT } },
    wrong: { body: { email, token: 'x', password: NEXT, password_confirmation: NEXT } },
    said: { action: 'update', entity: 'user', after: { password: 'reset' } },
  }),
  ...changingAccount,
  ...changingPosters,
  ...changingTours,
  ...changingTranslations,
  ...changingWebhooks,
  ...changingMailings,
  ...changingParts,
  'apiKeys.create': () => ({
    right: { body: { name: 'New', policies: allPolicies() } },
    wrong: { body: { name: 'New', policies: allPolicies(), expires_at: '2001-01-01T00:00:00Z' } },
    said: { action: 'create', entity: 'api_key', after: { name: 'New' } },
  }),
  'apiKeys.remove': ({ key }) => ({
    right: { params: { id: key } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'api_key', before: { name: 'Key' }, after: null },
  }),
  'imports.rooms': () => ({
    right: { body: { items: [{ title: 'Brought in' }] } },
    wrong: { body: {} },
    said: { action: 'import', entity: 'room', before: null, after: { title: 'Brought in', elements: 0 } },
  }),
  'imports.templates': () => ({
    right: { body: { items: [{ name: 'Brought in' }] } },
    wrong: { body: {} },
    said: { action: 'import', entity: 'template', before: null, after: { name: 'Brought in' } },
  }),
  'imports.endpoints': () => ({
    right: { body: { items: [{ path: 'one', name: 'Brought in' }] } },
    wrong: { body: { items: [{}] } },
    said: { action: 'import', entity: 'endpoint', before: { name: 'One' }, after: { name: 'Brought in' } },
  }),
  'imports.users': ({ email }) => ({
    right: { body: { items: [{ email, name: 'Brought in' }] } },
    wrong: { body: { items: [{ email: 'no address' }] } },
    said: { action: 'import', entity: 'user', after: { name: 'Brought in' } },
  }),
  'imports.roomsFile': () => ({
    right: { form: formOf({}, itemsFile({ title: 'Brought in' })) },
    wrong: { form: formOf({}, itemsFile('cut off')) },
    said: { action: 'import', entity: 'room', before: null, after: { title: 'Brought in', elements: 0 } },
  }),
  'imports.templatesFile': () => ({
    right: { form: formOf({}, itemsFile({ name: 'Brought in' })) },
    wrong: { form: formOf({}, itemsFile('cut off')) },
    said: { action: 'import', entity: 'template', before: null, after: { name: 'Brought in' } },
  }),
  'imports.endpointsFile': () => ({
    right: { form: formOf({}, itemsFile({ path: 'one', name: 'Brought in' })) },
    wrong: { form: formOf({}, itemsFile('cut off')) },
    said: { action: 'import', entity: 'endpoint', before: { name: 'One' }, after: { name: 'Brought in' } },
  }),
  'imports.usersFile': ({ email }) => ({
    right: { form: formOf({}, itemsFile({ email, name: 'Brought in' })) },
    wrong: { form: formOf({}, itemsFile('cut off')) },
    said: { action: 'import', entity: 'user', after: { name: 'Brought in' } },
  }),
  'imports.remove': ({ room }) => ({
    right: { body: { kind: 'rooms', ids: [room] } },
    wrong: { body: { kind: 'rooms', ids: [] } },
    said: { action: 'delete', entity: 'room', after: null },
  }),
  'imports.undo': ({ job }) => ({
    right: { params: { id: job }, body: {} },
    wrong: { params: { id: 999_999 }, body: {} },
    said: { action: 'delete', entity: 'room', before: { title: 'Imported' }, after: null },
  }),
  'history.restore': ({ removal }) => ({
    right: { params: { id: removal } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'restore', entity: 'room', after: { title: 'Gone' } },
  }),
};
