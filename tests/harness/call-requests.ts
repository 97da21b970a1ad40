import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { Calls } from '../../src/contract/calls.ts';
import type { Client } from '../../src/contract/client.ts';
import { AREAS, type Policies, RIGHTS } from '../../src/contract/entities.ts';
import { formOf, PASSWORD, type Sent, type TestUser } from './api-app.ts';
import { makeFilm } from './film.ts';
import { type GuestFixture, guestRequests } from './guest-requests.ts';
import { type MediaFixture, mediaRequests, PIXEL, picture } from './media-requests.ts';
import { zipOf } from './zip.ts';

/** A new password, different from the harness's. */
const NEXT = `${PASSWORD}, too`;

/** Every call, by area and name. */
export type CallName = { [A in keyof Calls]: `${A}.${keyof Calls[A] & string}` }[keyof Calls];

/** Ids of one instance of each entity, in one organization. */
export interface Fixture extends GuestFixture, MediaFixture {
  room: number;
  element: number;
  /** An empty folder for spaces. */
  folder: number;
  template: number;
  /** A block with a place in the room. */
  block: number;
  /** Two 360° photos, and a template for them. */
  tour: { photos: number[]; template: number };
  /** Two spaces with a panorama each. */
  panoramas: number[];
  user: TestUser;
  /** Another session of the user. */
  session: string;
  /** A user who is setting up a second factor, with the code of their app. */
  settingUp: { user: TestUser; code: string };
  /** A user with a second factor, with the token of a sign-in that awaits a recovery code. */
  guarded: { user: TestUser; step: string; code: string };
  /** Confirmations for sensitive changes: of `user`, and of the user with a second factor. */
  confirmations: { user: string; guarded: string };
  /** A new email address of `user`, with the token of its link. */
  newEmail: { email: string; token: string };
  /** A passkey of `user`, its responses for sign-in and confirmation, and the response of a new one. */
  passkey: {
    id: number;
    signIn: Record<string, unknown>;
    confirm: Record<string, unknown>;
    add: Record<string, unknown>;
  };
  /** The response of an identity provider, and the cookie of the browser. */
  returned: { body: object; cookie: string };
  /** A user who has not set a password yet. */
  invited: number;
  /** Their email address. */
  address: string;
  /** Token to reset the user's password. */
  reset: string;
  key: number;
  revision: number;
  /** A published room with later changes and a schedule. */
  /** An open proposal for the space. */
  proposal: number;
  published: number;
  /** An entry of the change log that can be restored. */
  removal: number;
  /** An import that can be undone. */
  job: number;
  /** A bulk job started by the administrator. */
  bulk: number;
  film: number;
  liveStream: { id: number; reference: string };
  /** A local feed shown in the room. */
  feed: number;
  /** A visitor's post to that feed. */
  share: number;
  webhook: number;
  /** A delivery of that webhook. */
  delivery: number;
  /** Parameters of a redirect from Instagram. */
  connection: { code: string; state: string };
}

/** A cube map of one face to upload. */
const tiles = () => ({
  field: 'file',
  name: 'cube.zip',
  content: new Blob([new Uint8Array(zipOf([{ name: 'f-0-0.png', content: PIXEL }]))]),
});

/** Two 360° photos in the library, and a template for them. */
export async function furnishTour(client: Client, mark = ''): Promise<Fixture['tour']> {
  const photos: number[] = [];
  for (const background of ['#335577', '#775533']) {
    const png = await sharp({ create: { width: 8, height: 4, channels: 3, background } })
      .png()
      .toBuffer();
    const file = new File([new Uint8Array(png)], `${mark}${background}.png`);
    photos.push((await client.media.upload({ body: {}, files: { file } })).id);
  }
  const body = { name: `Photos${mark}`, model_type: 'pano', file_id: photos[0] } as const;
  return { photos, template: (await client.templates.create({ body })).id };
}

/** Two spaces with a panorama each. */
export async function furnishPanoramas(client: Client, template: number, mark = ''): Promise<number[]> {
  const names = [`First room${mark}`, `Second room${mark}`];
  const rooms: number[] = [];
  for (const title of names) rooms.push((await client.rooms.create({ body: { title, template_id: template } })).id);
  return rooms;
}

/** No right in any area. */
export const noRights = () =>
  Object.fromEntries(
    AREAS.map((area) => [area, Object.fromEntries(RIGHTS.map((right) => [right, false]))]),
  ) as Policies;

/** A file with one item to import. */
const fileOf = (item: object) =>
  formOf({}, { field: 'items_file', name: 'items.ndjson', content: new Blob([JSON.stringify(item)]) });

/** A request of a call. */
export type CallRequest = Sent & { params?: Record<string, unknown>; query?: string };

/** A request to each call that succeeds with the required right. */
export const requests: Record<CallName, (fixture: Fixture) => CallRequest> = {
  'users.login': ({ user }) => ({ body: { email: user.email, password: PASSWORD } }),
  'users.logout': () => ({}),
  'users.active': () => ({}),
  'users.forgot': ({ user }) => ({ body: { email: user.email } }),
  'users.reset': ({ user, reset }) => ({
    body: { email: user.email, token: reset, password: NEXT, password_confirmation: NEXT },
  }),
  'users.list': () => ({}),
  'users.read': ({ invited }) => ({ params: { id: invited } }),
  'users.invite': () => ({ body: { email: `${randomUUID()}@example.com`, name: 'New', policies: noRights() } }),
  'users.inviteAgain': ({ invited }) => ({ params: { id: invited } }),
  'users.sendResetLink': ({ invited }) => ({ params: { id: invited } }),
  'users.update': ({ invited }) => ({ params: { id: invited }, body: { name: 'Changed' } }),
  'users.remove': ({ invited }) => ({ params: { id: invited } }),
  'account.update': () => ({ body: { name: 'Changed' } }),
  'account.askEmail': ({ confirmations }) => ({
    body: { email: `${randomUUID()}@example.com`, confirmation: confirmations.user },
  }),
  'account.changeEmail': ({ newEmail }) => ({ body: newEmail }),
  'account.changePassword': () => ({
    body: { current_password: PASSWORD, password: NEXT, password_confirmation: NEXT },
  }),
  'account.confirm': () => ({ body: { current_password: PASSWORD } }),
  'secondFactor.signIn': ({ guarded: { step, code } }) => ({ body: { token: step, code } }),
  'secondFactor.read': () => ({}),
  'secondFactor.begin': ({ confirmations }) => ({ body: { confirmation: confirmations.user } }),
  'secondFactor.turnOn': ({ settingUp: { code } }) => ({ body: { code } }),
  'secondFactor.remove': ({ confirmations }) => ({ body: { confirmation: confirmations.guarded } }),
  'secondFactor.makeCodes': ({ confirmations }) => ({ body: { confirmation: confirmations.guarded } }),
  'secondFactor.reset': ({ guarded: { user } }) => ({ params: { id: user.id } }),
  'passkeys.beginSignIn': () => ({}),
  'passkeys.signIn': ({ passkey }) => ({ body: { answer: passkey.signIn } }),
  'passkeys.beginConfirm': () => ({}),
  'passkeys.confirm': ({ passkey }) => ({ body: { answer: passkey.confirm } }),
  'passkeys.list': () => ({}),
  'passkeys.begin': ({ confirmations }) => ({ body: { confirmation: confirmations.user } }),
  'passkeys.add': ({ passkey }) => ({ body: { name: 'New', answer: passkey.add } }),
  'passkeys.rename': ({ passkey: { id } }) => ({ params: { id }, body: { name: 'Changed' } }),
  'passkeys.remove': ({ passkey: { id }, confirmations }) => ({
    params: { id },
    body: { confirmation: confirmations.user },
  }),
  'signIn.options': () => ({}),
  'signIn.begin': () => ({}),
  'signIn.complete': ({ returned: { body, cookie } }) => ({ body, headers: { cookie } }),
  'signIn.read': () => ({}),
  'signIn.update': () => ({ body: { requires_second_factor: false } }),
  'account.sessions': () => ({}),
  'account.endSession': ({ session }) => ({ params: { id: session } }),
  'account.endOtherSessions': () => ({}),
  'apiKeys.list': () => ({}),
  'apiKeys.create': () => ({ body: { name: 'New', policies: noRights() } }),
  'apiKeys.remove': ({ key }) => ({ params: { id: key } }),
  'rooms.list': () => ({}),
  'rooms.read': ({ room }) => ({ params: { id: room } }),
  'folders.list': () => ({}),
  'folders.create': () => ({ body: { name: `New ${randomUUID()}` } }),
  'folders.update': ({ folder }) => ({ params: { id: folder }, body: { name: `Changed ${randomUUID()}` } }),
  'folders.remove': ({ folder }) => ({ params: { id: folder } }),
  'rooms.move': ({ room, folder }) => ({ params: { id: room }, body: { folder_id: folder } }),
  'rooms.create': () => ({ body: { title: 'New' } }),
  'rooms.update': ({ room }) => ({ params: { id: room }, body: { title: 'Changed' } }),
  'rooms.remove': ({ room }) => ({ params: { id: room } }),
  'rooms.copy': ({ room }) => ({ params: { id: room } }),
  'rooms.readPoster': ({ room }) => ({ params: { id: room } }),
  'rooms.drawPoster': ({ room }) => ({ params: { id: room }, form: formOf({}, picture()) }),
  'rooms.choosePoster': ({ room, media }) => ({ params: { id: room }, body: { file_id: media } }),
  'rooms.removePoster': ({ room }) => ({ params: { id: room } }),
  'templates.readPoster': ({ template }) => ({ params: { id: template } }),
  'templates.choosePoster': ({ template, media }) => ({ params: { id: template }, body: { file_id: media } }),
  'templates.removePoster': ({ template }) => ({ params: { id: template } }),
  'endpoints.readPoster': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.choosePoster': ({ endpoint, media }) => ({ params: { id: endpoint }, body: { file_id: media } }),
  'endpoints.removePoster': ({ endpoint }) => ({ params: { id: endpoint } }),
  'rooms.addElement': ({ room }) => ({ params: { id: room }, body: { element: 'group' } }),
  'rooms.commit': ({ room }) => ({
    params: { id: room },
    body: {
      client: `program ${randomUUID()}`,
      mutation: 1,
      commands: [{ type: 'element.add', element: { id: -1, element: 'group' } }],
    },
  }),
  'rooms.log': ({ room }) => ({ params: { id: room } }),
  'revisions.list': ({ room }) => ({ params: { id: room } }),
  'revisions.create': ({ room }) => ({ params: { id: room }, body: { name: 'New' } }),
  'revisions.read': ({ revision }) => ({ params: { id: revision } }),
  'revisions.rename': ({ revision }) => ({ params: { id: revision }, body: { name: 'Changed' } }),
  'revisions.remove': ({ revision }) => ({ params: { id: revision } }),
  'revisions.restore': ({ revision }) => ({ params: { id: revision }, body: {} }),
  'translations.export': ({ room }) => ({ params: { id: room }, query: 'language=nl' }),
  'translations.import': ({ room }) => ({
    params: { id: room },
    form: formOf({ language: 'nl' }, { field: 'file', name: 'nl.csv', content: new Blob(['id,text,translation']) }),
  }),
  'translations.draft': ({ room }) => ({ params: { id: room }, body: { language: 'nl', apply: false } }),
  'endpoints.translate': ({ endpoint }) => ({
    params: { id: endpoint },
    body: { language: 'nl', texts: { name: 'Ingang' } },
  }),
  'endpoints.exportTranslations': ({ endpoint }) => ({ params: { id: endpoint }, query: 'language=nl' }),
  'endpoints.importTranslations': ({ endpoint }) => ({
    params: { id: endpoint },
    form: formOf({ language: 'nl' }, { field: 'file', name: 'nl.csv', content: new Blob(['id,text,translation']) }),
  }),
  'translationWebhook.read': () => ({}),
  'translationWebhook.update': () => ({ body: { url: 'https://example.com/translate' } }),
  'translationWebhook.rotate': () => ({}),
  'translationWebhook.test': () => ({}),
  'proposals.list': () => ({}),
  'proposals.read': ({ proposal }) => ({ params: { id: proposal } }),
  'proposals.create': ({ room }) => ({ params: { id: room }, body: { name: 'New' } }),
  'proposals.merge': ({ proposal }) => ({ params: { id: proposal }, body: {} }),
  'proposals.discard': ({ proposal }) => ({ params: { id: proposal } }),
  'publications.read': ({ published }) => ({ params: { id: published } }),
  'publications.publish': ({ published }) => ({ params: { id: published }, body: {} }),
  'publications.unpublish': ({ published }) => ({ params: { id: published } }),
  'publications.cancel': ({ published }) => ({ params: { id: published } }),
  'publications.createPreviewLink': ({ room }) => ({ params: { id: room }, body: { expires_in: 3600 } }),
  'elements.list': ({ room }) => ({ query: `room_id=${room}` }),
  'elements.read': ({ element }) => ({ params: { id: element } }),
  'elements.update': ({ element }) => ({ params: { id: element }, body: { name: 'Changed' } }),
  'elements.remove': ({ element }) => ({ params: { id: element } }),
  'elements.copy': ({ element }) => ({ params: { id: element } }),
  'elements.hide': ({ element }) => ({ params: { id: element, hidden: 1 } }),
  'elements.reorder': ({ element }) => ({ body: { sort: [element] } }),
  'elements.position': ({ element }) => ({ params: { id: element }, body: { position_x: 1 } }),
  'blocks.list': () => ({}),
  'blocks.read': ({ block }) => ({ params: { id: block } }),
  'blocks.create': () => ({ body: { name: 'New', element: { id: 1, element: 'group' } } }),
  'blocks.update': ({ block }) => ({ params: { id: block }, body: { name: 'Changed' } }),
  'blocks.remove': ({ block }) => ({ params: { id: block } }),
  'blocks.places': ({ block }) => ({ params: { id: block } }),
  'blocks.updateIn': ({ room, block }) => ({ params: { id: room }, body: { block_id: block } }),
  'templates.list': () => ({}),
  'templates.read': ({ template }) => ({ params: { id: template } }),
  'templates.create': () => ({ body: { name: 'New' } }),
  'templates.copy': ({ template }) => ({ params: { id: template }, body: {} }),
  'templates.update': ({ template }) => ({ params: { id: template }, body: { name: 'Changed' } }),
  'templates.remove': ({ template }) => ({ params: { id: template } }),
  'endpoints.list': () => ({}),
  'endpoints.rows': () => ({}),
  'endpoints.read': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.create': ({ room }) => ({ form: formOf({ name: `New ${room}`, room_id: String(room) }) }),
  'endpoints.createWithRoom': () => ({
    body: {
      endpoint: { name: 'New', slug: randomUUID(), is_protected: true },
      room: { title: 'New', position: { x: 1, y: 2, z: 3 } },
      tokens: { count: 2, length: 10 },
    },
  }),
  'endpoints.copy': ({ endpoint }) => ({ params: { id: endpoint }, body: { slug: randomUUID() } }),
  'endpoints.update': ({ endpoint }) => ({ params: { id: endpoint }, form: formOf({ name: 'Changed' }) }),
  'endpoints.remove': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.move': ({ endpoint }) => ({ params: { id: endpoint }, body: { parent_endpoint_id: null } }),
  'endpoints.reorder': ({ endpoint }) => ({ body: { sort: [{ id: endpoint }] } }),
  'endpoints.addresses': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.removeAddress': ({ endpoint }) => ({ params: { id: endpoint }, body: { path: '/earlier' } }),
  'endpoints.createExportTicket': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.buildSite': () => ({}),
  'endpoints.scormPackage': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.exportTokens': ({ endpoint }) => ({ params: { id: endpoint } }),
  ...guestRequests,
  'liveStreams.list': () => ({}),
  'liveStreams.read': ({ liveStream: { id } }) => ({ params: { id } }),
  'liveStreams.create': ({ liveStream: { reference } }) => ({ body: { name: 'New', type: 'wowza_live', reference } }),
  'liveStreams.update': ({ liveStream: { id } }) => ({ params: { id }, body: { name: 'Changed' } }),
  'liveStreams.remove': ({ liveStream: { id } }) => ({ params: { id } }),
  'liveStreams.start': ({ liveStream: { id } }) => ({ params: { id } }),
  'liveStreams.stop': ({ liveStream: { id } }) => ({ params: { id } }),
  'liveStreams.moduleList': () => ({ params: { module: 'wowza_live' } }),
  'liveStreams.moduleRead': ({ liveStream }) => ({ params: { module: 'wowza_live', id: liveStream.reference } }),
  'liveStreams.moduleState': ({ liveStream }) => ({ params: { module: 'wowza_live', id: liveStream.reference } }),
  'videos.search': () => ({ params: { provider: 'local' }, body: {} }),
  'videos.upload': () => ({
    params: { provider: 'local' },
    form: formOf({}, { field: 'file', name: 'film.mp4', content: new Blob([new Uint8Array(makeFilm())]) }),
  }),
  'videos.read': ({ film }) => ({ params: { provider: 'local', id: film } }),
  'feeds.list': () => ({}),
  'feeds.read': ({ feed }) => ({ params: { id: feed } }),
  'feeds.create': () => ({ body: { name: 'New', type: 'local' } }),
  'feeds.connect': ({ connection }) => ({ body: connection }),
  'feeds.update': ({ feed }) => ({ params: { id: feed }, body: { name: 'Changed' } }),
  'feeds.remove': ({ feed }) => ({ params: { id: feed } }),
  'feeds.listItems': ({ feed }) => ({ query: `feed_id=${feed}` }),
  'feeds.updateItems': ({ share }) => ({ body: { ids: [share], state: 'hidden' } }),
  'feeds.removeItems': ({ share }) => ({ body: { ids: [share] } }),
  'feeds.restoreItems': ({ share }) => ({ body: { ids: [share] } }),
  'organizations.read': () => ({}),
  'bulk.start': ({ room }) => ({ body: { action: 'rooms.remove', ids: [room] } }),
  'bulk.effects': ({ room }) => ({ body: { action: 'rooms.remove', ids: [room] } }),
  'bulk.read': ({ bulk }) => ({ params: { id: bulk } }),
  'organizations.embedding': () => ({}),
  'organizations.allowSite': () => ({ body: { site: 'https://www.example.com/rooms' } }),
  'organizations.usage': () => ({}),
  'accessibility.findings': () => ({}),
  'accessibility.missing': () => ({}),
  'organizations.update': () => ({ body: { meta_title: 'Changed' } }),
  'modules.list': () => ({}),
  'platforms.list': () => ({}),
  'platforms.update': () => ({ params: { platform: 'vimeo' }, body: { access_token: 'vimeo-token-of-a-test' } }),
  'platforms.check': () => ({ params: { platform: 'wowza' } }),
  'visit.settings': () => ({}),
  'visit.list': () => ({}),
  'visit.one': () => ({ params: { slugOne: 'entrance' } }),
  'visit.two': () => ({ params: { slugOne: 'entrance', slugTwo: 'below' } }),
  'visit.enterHome': () => ({ body: {} }),
  'visit.enterOne': () => ({ params: { slugOne: 'entrance' }, body: {} }),
  'visit.enterTwo': () => ({ params: { slugOne: 'entrance', slugTwo: 'below' }, body: {} }),
  'visit.feedItems': ({ feed }) => ({ params: { id: feed } }),
  'visit.shareChallenge': ({ feed }) => ({ query: `feed_id=${feed}` }),
  'visit.share': ({ feed }) => ({ form: formOf({ name: 'Eva', message: 'Hello', feed_id: String(feed) }) }),
  ...mediaRequests,
  'history.list': () => ({}),
  'imports.rooms': () => ({ body: { items: [{ title: `Room ${randomUUID()}` }] } }),
  'imports.templates': () => ({ body: { items: [{ name: `Template ${randomUUID()}` }] } }),
  'imports.endpoints': () => ({ body: { items: [{ path: randomUUID(), room: 'R' }] } }),
  'imports.roomsFile': () => ({ form: fileOf({ title: `Room ${randomUUID()}` }) }),
  'imports.templatesFile': () => ({ form: fileOf({ name: `Template ${randomUUID()}` }) }),
  'imports.endpointsFile': () => ({ form: fileOf({ path: randomUUID(), room: 'R' }) }),
  'imports.users': () => ({ body: { items: [{ email: `${randomUUID()}@example.com`, name: 'New' }] } }),
  'imports.usersFile': () => ({ form: fileOf({ email: `${randomUUID()}@example.com`, name: 'New' }) }),
  'imports.remove': ({ room }) => ({ body: { kind: 'rooms', ids: [room] } }),
  'tours.create': ({ tour }) => ({
    body: { name: `Tour ${randomUUID()}`, files: tour.photos, template_id: tour.template },
  }),
  'tours.merge': ({ panoramas }) => ({ body: { name: `Tour ${randomUUID()}`, rooms: panoramas } }),
  'tours.importTour': ({ tour }) => ({
    body: {
      name: `Tour ${randomUUID()}`,
      template_id: tour.template,
      configs: [{ path: 'tour.json', text: JSON.stringify({ title: 'Hall', panorama: 'hall.jpg' }) }],
      panoramas: [{ key: 'Hall', file_id: tour.photos[0]! }],
    },
  }),
  'tours.assemblePanorama': () => ({ form: formOf({ name: 'cube.jpg' }, tiles()) }),
  'iiif.hang': ({ tour }) => ({
    body: { name: `Gallery ${randomUUID()}`, files: tour.photos, template_id: tour.template },
  }),
  'imports.list': () => ({}),
  'imports.undo': ({ job }) => ({ params: { id: job }, body: {} }),
  'audit.list': () => ({}),
  'audit.export': () => ({}),
  'privacy.listShares': () => ({}),
  'privacy.eraseShares': ({ share }) => ({ body: { ids: [share] } }),
  'privacy.eraseUser': ({ address }) => ({ body: { email: address } }),
  'onboarding.read': () => ({}),
  'onboarding.dismiss': () => ({ body: { is_dismissed: true } }),
  'onboarding.removeDemo': () => ({}),
  'bin.list': () => ({}),
  'bin.empty': () => ({ body: {} }),
  'webhooks.list': () => ({}),
  'webhooks.create': () => ({ body: { name: 'New', url: 'https://example.com/hook', events: ['space.published'] } }),
  'webhooks.update': ({ webhook }) => ({ params: { id: webhook }, body: { name: 'Changed' } }),
  'webhooks.remove': ({ webhook }) => ({ params: { id: webhook } }),
  'webhooks.rotate': ({ webhook }) => ({ params: { id: webhook } }),
  'webhooks.test': ({ webhook }) => ({ params: { id: webhook } }),
  'webhooks.deliveries': ({ webhook }) => ({ params: { id: webhook } }),
  'webhooks.redeliver': ({ delivery }) => ({ params: { id: delivery } }),
  'statistics.count': ({ endpoint }) => ({ body: { endpoint_id: endpoint, visit: '0123456789abcdef', begins: true } }),
  'statistics.read': ({ endpoint }) => ({ query: `endpoint_id=${endpoint}` }),
  'statistics.list': () => ({ query: 'by=structure' }),
  'statistics.export': () => ({ query: 'by=structure' }),
  'statistics.exportPoses': ({ endpoint }) => ({ query: `endpoint_id=${endpoint}` }),
  'statistics.problems': () => ({}),
  'statistics.dismissProblems': () => ({ body: { kind: 'no_tokens', count: null } }),
  'history.readRoom': ({ removal }) => ({ params: { id: removal }, query: 'side=before' }),
  'history.restore': ({ removal }) => ({ params: { id: removal } }),
};
