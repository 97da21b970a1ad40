import { randomUUID } from 'node:crypto';
import { timestampOf } from '../../src/server/core/clock.ts';
import { insertBulkJob } from '../../src/server/features/bulk/queries.ts';
import { insertItem } from '../../src/server/features/feeds/queries.ts';
import { hourOf } from '../../src/server/features/statistics/roll-up.ts';
import { createPasswordToken } from '../../src/server/features/users/passwords.ts';
import { insertDeliveries } from '../../src/server/features/webhooks/queries.ts';
import type { ApiApp, TestOrganization } from './api-app.ts';
import { type Fixture, furnishPanoramas, furnishTour, noRights } from './call-requests.ts';
import { confirmationOf, furnishFactors, furnishPasskey, furnishReturn, newEmailOf } from './factors.ts';
import { makeFilm } from './film.ts';
import { furnishMailings } from './furnish-mailings.ts';
import { otherPicture, picture } from './media-requests.ts';
import type { IdentityProvider } from './stand-ins/identity-provider.ts';
import type { InstagramStandIn } from './stand-ins/instagram.ts';

/** External services for some of the entities. */
interface Providers {
  instagram: InstagramStandIn;
  /** The provider for a sign-in to the first organization; without one, there is no such sign-in. */
  identity?: IdentityProvider;
}

/**
 * Creates one instance of each entity in an organization, as its administrator.
 * @param mark text in every name, to find it in responses
 */
export async function furnishOrganization(
  api: ApiApp,
  organization: TestOrganization,
  { instagram, identity }: Providers,
  mark = '',
): Promise<Fixture> {
  // Fixtures sign in more often than the rate limit allows per address.
  await api.services.db.deleteFrom('attempts').execute();
  const client = api.client(organization.admin);
  const { rooms, templates, endpoints, accessTokens, media } = client;
  const marked = (name: string) => `${name}${mark}`;
  const template = await templates.create({ body: { name: marked('T') } });
  const room = await rooms.create({ body: { title: marked('R'), description: marked('') } });
  const folder = await client.folders.create({ body: { name: marked(`Folder ${randomUUID()}`) } });
  const element = await rooms.addElement({
    params: { id: room.id },
    body: { element: 'group', name: marked('Group') },
  });
  for (const { id } of await endpoints.list()) await endpoints.remove({ params: { id } });
  const { id: endpointId } = await endpoints.create({
    body: { name: marked('Entrance'), slug: 'earlier', room_id: room.id },
  });
  const endpoint = await endpoints.update({ params: { id: endpointId }, body: { slug: 'entrance' } });
  await endpoints.create({
    body: { name: marked('Below'), slug: 'below', room_id: room.id, parent_endpoint_id: endpoint.id },
  });
  const block = await client.blocks.create({
    body: {
      name: marked('Desk'),
      element: { id: 1, element: 'group', children: [{ id: 2, element: 'text', name: marked('Leg') }] },
    },
  });
  await rooms.addElement({
    params: { id: room.id },
    body: {
      element: 'group',
      name: marked('Desk'),
      config: { block_id: block.id, block_version: 1, block_elements: [] },
    },
  });
  const revision = await client.revisions.create({ params: { id: room.id }, body: { name: marked('First') } });
  const token = await accessTokens.create({
    body: {
      endpoint_id: endpoint.id,
      holder_email: 'guest@example.com',
      group: marked('Press'),
      ...(mark && { token: marked('code') }),
    },
  });
  const proposal = await client.proposals.create({ params: { id: room.id }, body: { name: marked('Proposal') } });
  const published = await rooms.create({ body: { title: marked('Published') } });
  await client.publications.publish({ params: { id: published.id }, body: {} });
  await rooms.update({ params: { id: published.id }, body: { title: marked('Published since') } });
  const schedule = { at: '2040-01-01T12:00', zone: 'Europe/Amsterdam' };
  await client.publications.publish({ params: { id: published.id }, body: schedule });
  const user = await api.addUser(organization, {});
  await api.signIn(user);
  const sessions = await api.client(user).account.sessions();
  const address = `${randomUUID()}${mark}@example.com`;
  const invited = await client.users.invite({
    body: { email: address, name: marked('Invited'), policies: noRights() },
  });
  const key = await client.apiKeys.create({ body: { name: marked('Key'), policies: noRights() } });
  // Owned by a user without rights: removing a key requires at least the rights of its owner.
  await api.services.db.updateTable('api_keys').set({ user_id: user.id }).where('id', '=', key.id).execute();
  await rooms.remove({ params: { id: (await rooms.create({ body: { title: marked('Gone') } })).id } });
  const [removal] = (await client.history.list({ query: { removed: '1' } })).data;
  const { job } = await client.imports.rooms({ body: { items: [{ title: marked(randomUUID()) }] } });
  const bulk = await insertBulkJob(api.services.db, {
    organization_id: organization.id,
    user_id: organization.admin.id,
    action: 'rooms.remove',
    total: 1,
    changed: '[]',
    problems: JSON.stringify([marked('Problem')]),
    state: 'ended',
    touched_at: new Date(api.clock.now()).toISOString(),
  });
  const file = await api
    .client(organization.admin)
    .media.upload({ body: {}, files: { file: new File([picture().content], `${marked('pixel')}.png`) } });
  for (const { id } of (await media.list()).data)
    if (id !== file.id) await media.remove({ params: { id }, query: { force: '1' } });
  const replacing = new File([otherPicture().content], `${marked('replaced')}.png`);
  await media.replace({ params: { id: file.id }, body: {}, files: { file: replacing } });
  const [mediaVersion] = await media.versions({ params: { id: file.id } });
  const mediaFolder = await client.mediaFolders.create({ body: { name: marked(`Files ${randomUUID()}`) } });
  const film = await client.videos.upload({
    params: { provider: 'local' },
    files: { file: new File([new Uint8Array(makeFilm())], `${marked('film')}.mp4`) },
  });
  const liveStream = await client.liveStreams.create({
    body: { name: marked('Live'), type: 'wowza_live', new_stream: { name: marked('Live'), encoder: 'other_rtmp' } },
  });
  const feed = await client.feeds.create({ body: { name: marked('Wall'), type: 'local' } });
  const config = { feed_enabled: true, feed_id: feed.id };
  await rooms.addElement({ params: { id: room.id }, body: { element: 'group', config } });
  const share = await insertItem(api.services.db, {
    feed_id: feed.id,
    external_id: randomUUID(),
    name: marked('Kim'),
    message: marked('Hello'),
    media_id: null,
    file_url: '',
    width: null,
    height: null,
    link: '',
    created_at: timestampOf(api.clock.now()),
  });
  await api.services.db
    .insertInto('statistics_hours')
    .values({
      organization_id: organization.id,
      endpoint_id: endpoint.id,
      hour: hourOf(api.clock.now()),
      kind: 'visit',
      subject: '',
      other_id: 0,
      count: 1,
      amount: 1,
    })
    .execute();
  for (const { id } of await client.webhooks.list()) await client.webhooks.remove({ params: { id } });
  const webhook = await client.webhooks.create({
    body: { name: marked('Hook'), url: 'https://hook.invalid/hook', events: ['stream.started'] },
  });
  await client.translationWebhook.update({ body: { url: `https://hook.invalid/translate?for=${mark}` } });
  const link = await client.checkIn.create({ params: { id: endpoint.id }, body: { name: marked('Entrance') } });
  const at = timestampOf(api.clock.now());
  const [delivery] = await insertDeliveries(api.services.db, [
    {
      organization_id: organization.id,
      webhook_id: webhook.id,
      message_id: 'msg_1',
      event: 'test',
      payload: JSON.stringify({ type: 'test', timestamp: at, data: { webhook: marked('Hook') } }),
      created_at: at,
      state: 'delivered',
      attempts: 1,
      next_at: null,
      status: 204,
      answer: '',
    },
  ]);
  const asked = await client.feeds.create({ body: { name: marked('Instagram'), type: 'instagram' } });
  const connection = { code: randomUUID(), state: new URL(asked.redirect_url!).searchParams.get('state')! };
  instagram.codes.add(connection.code);
  const { settingUp, guarded } = await furnishFactors(api, organization);
  const tour = await furnishTour(client, mark);
  return {
    settingUp,
    returned: identity && organization === api.one ? await furnishReturn(api, identity) : { body: {}, cookie: '' },
    passkey: await furnishPasskey(api, user),
    guarded,
    newEmail: await newEmailOf(api, user),
    confirmations: { user: await confirmationOf(api, user), guarded: await confirmationOf(api, guarded.user) },
    room: room.id,
    folder: folder.id,
    element: element.id,
    template: template.id,
    block: block.id,
    endpoint: endpoint.id,
    media: file.id,
    mediaVersion: mediaVersion!.id,
    mediaFolder: mediaFolder.id,
    tour,
    panoramas: await furnishPanoramas(client, tour.template, mark),
    token: token.id,
    user,
    session: sessions.find(({ is_current }) => !is_current)!.id,
    invited: invited.id,
    address,
    reset: await createPasswordToken(api.services.db, api.clock, user.id, 'reset'),
    key: key.id,
    revision: revision.id,
    proposal: proposal.id,
    published: published.id,
    removal: removal!.id,
    job: job!,
    bulk,
    film: Number(film.id),
    liveStream,
    feed: feed.id,
    share: share.id,
    connection,
    webhook: webhook.id,
    checkInLink: { id: link.id, headers: { authorization: `Bearer ${link.token}` } },
    delivery: delivery!.id,
    mailing: await furnishMailings(api, organization, endpoint.id, marked),
  };
}
