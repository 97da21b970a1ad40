import { asCliError } from '../as-cli-error.ts';
import { eachEntryOnward } from '../report/pages.ts';
import type { Change } from './compare.ts';
import type { Kind } from './format.ts';
import { changesOf, noteDone, removeInJob, type Work } from './work.ts';

const idsOf = (changes: readonly Change[]): number[] => changes.map(({ from }) => from!.id!);

/** Structures without those below removed ones, which are removed with them. */
function topmost(changes: readonly Change[]): Change[] {
  const paths = new Set(changes.map(({ name }) => name));
  return changes.filter(({ name }) => !paths.has(name.split('/').slice(0, -1).join('/')));
}

async function pruneTokens(work: Work): Promise<void> {
  const { client } = work.connection;
  const ids: number[] = [];
  for (const { from } of changesOf(work, 'tokens', 'remove')) {
    const query = { endpoint_id: String(from!.id) };
    for await (const { id } of eachEntryOnward((page) =>
      client.accessTokens.list({
        query: { ...query, per_page: page.per_page, ...(page.before_id && { before_id: String(page.before_id) }) },
      }),
    ))
      ids.push(id);
  }
  await removeInJob(work, 'access_tokens', ids);
  noteDone(work, ids.length, 'removed access token');
}

async function pruneUsers(work: Work): Promise<void> {
  const { email } = await work.connection.client.users.active();
  const others = changesOf(work, 'users', 'remove').filter(({ name }) => name !== email);
  await removeInJob(work, 'users', idsOf(others));
  noteDone(work, others.length, 'removed user');
}

/** Removes entries one by one, and records how each is restored. */
async function pruneEach(work: Work, kind: Kind, remove: (change: Change, id: number) => Promise<void>): Promise<void> {
  // Folders in folders first.
  const changes = changesOf(work, kind, 'remove').toReversed();
  for (const change of changes) await remove(change, change.from!.id!);
  noteDone(work, changes.length, `removed ${kind.replaceAll('_', ' ').replace(/s$/, '')}`);
}

/** Removes entries that the export doesn't contain, in the order of their dependencies. Files in use stay. */
export async function pruneOthers(work: Work): Promise<void> {
  const { connection, undo, remarks } = work;
  const { client } = connection;
  await pruneTokens(work);
  await pruneEach(work, 'webhooks', async ({ from, name }, id) => {
    const body = await from!.read();
    await client.webhooks.remove({ params: { id } });
    await undo.add({ do: 'add_webhook', name, body });
  });
  await pruneUsers(work);
  for (const kind of ['endpoints', 'rooms', 'templates'] as const) {
    const changes = changesOf(work, kind, 'remove');
    await removeInJob(work, kind, idsOf(kind === 'endpoints' ? topmost(changes) : changes));
    noteDone(work, changes.length, `removed ${kind === 'endpoints' ? 'structure' : kind.slice(0, -1)}`);
  }
  const restorable = {
    blocks: ['block', 'blocks'],
    feeds: ['feed', 'feeds'],
    live_streams: ['live_stream', 'liveStreams'],
  } as const;
  for (const kind of ['blocks', 'feeds', 'live_streams'] as const)
    await pruneEach(work, kind, async ({ name }, id) => {
      const [entity, area] = restorable[kind];
      await client[area].remove({ params: { id } });
      await undo.add({ do: 'restore', entity, id, name });
    });
  for (const [kind, area] of [
    ['folders', 'folders'],
    ['media_folders', 'mediaFolders'],
  ] as const)
    await pruneEach(work, kind, async ({ name: path }, id) => {
      await client[area].remove({ params: { id } });
      await undo.add({ do: 'add_folder', what: area, path });
    });
  await pruneEach(work, 'media', async ({ name }, id) => {
    await client.media.remove({ params: { id } }).catch((error: unknown) => {
      const known = asCliError(error);
      if (known?.code !== 'in_use') throw error;
      remarks.push(`The file "${name}" stays, because it is in use.`);
    });
  });
}
