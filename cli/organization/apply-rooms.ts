import type { Endpoint } from '../../src/contract/entities.ts';
import { BEYOND_IDS } from '../bundles/renumber.ts';
import { allEndpoints } from '../endpoints/find-endpoint.ts';
import type { SendFile } from '../imports/import-file.ts';
import { roomFolder } from './apply-media.ts';
import { matchElements } from './describe.ts';
import {
  arrivalsOf,
  hasReferences,
  type Ids,
  inOrder,
  type Nested,
  renumberRoom,
  renumberTree,
  withIds,
} from './portable.ts';
import { hashIn, idsOf, ViewPoints } from './server-names.ts';
import type { Entry, Json } from './snapshot.ts';
import { changesOf, noteDone, pairsOf, sendDocuments, type Work } from './work.ts';

/** Creates and updates templates by name. */
export async function applyTemplates(work: Work): Promise<void> {
  const { client } = work.connection;
  const changes = [...changesOf(work, 'templates', 'create'), ...changesOf(work, 'templates', 'update')];
  const send: SendFile = (request, idempotencyKey) => client.imports.templatesFile({ ...request, idempotencyKey });
  async function* documents() {
    for (const { to } of changes) yield work.server.hashes.toLocal(withIds(await to!.read(), idsIn(work)) as Json);
  }
  const ids = await sendDocuments(work, documents(), send);
  for (const [at, { to }] of changes.entries()) if (ids[at]) work.ids.templates.set(to!.key, ids[at]);
  noteDone(work, changes.length, 'template');
}

/** Ids of what documents name. @param viewPoints links to view points of other rooms; none without them */
function idsIn(
  { ids, blockVersions }: Work & { blockVersions?: ReadonlyMap<string, number> },
  viewPoints?: ViewPoints,
): Ids {
  return {
    feed: (key) => ids.feeds.get(key) ?? null,
    liveStream: (key) => ids.live_streams.get(key) ?? null,
    block: (name) => {
      const [id, version] = [ids.blocks.get(name), blockVersions?.get(name)];
      return id === undefined || version === undefined ? null : { id, version };
    },
    viewPoint: (path, position) => viewPoints?.idAt(path, position) ?? null,
  };
}

/** Ids for the elements of a document: those of the server for elements that it has, and unknown ones for the others. */
export function elementIds(
  after: readonly Nested[],
  before: readonly Nested[],
  ids: readonly number[],
): Map<number, number> {
  const match = matchElements(before, after);
  return new Map(
    [...inOrder(after)].map(({ id }) => {
      const known = match.get(id);
      return [id, (known !== undefined && ids[known - 1]) || BEYOND_IDS + id] as const;
    }),
  );
}

/** A room of the export with the ids of the server. */
function localRoom(work: Work, document: Json, ids: Ids, elements: ReadonlyMap<number, number>): Json {
  const local = work.server.hashes.toLocal(withIds(document, ids) as Json);
  const { template_name, ...own } = renumberRoom(local, elements);
  const template = typeof template_name === 'string' ? { template_name } : { template_id: null };
  return { ...own, ...template, has_own_blocks: true };
}

const newIds = (document: Json): Map<number, number> =>
  new Map([...inOrder(document.elements as Nested[])].map(({ id }) => [id, BEYOND_IDS + id]));

const sendRooms =
  ({ connection: { client } }: Work): SendFile =>
  (request, idempotencyKey) =>
    client.imports.roomsFile({ ...request, idempotencyKey });

/** Moves rooms to their folders, and adds those that are missing, still without links to structures and blocks. */
export async function addRooms(work: Work): Promise<void> {
  const { client } = work.connection;
  for (const { from, to } of pairsOf(work, 'rooms')) {
    if (from.key === to.key) continue;
    const [before, after] = [await from.read(), await to.read()];
    const id = from.id!;
    await client.rooms.move({ params: { id }, body: { folder_id: roomFolder(work, after.folder) } });
    await work.undo.add({ do: 'move_room', id, name: from.name, folder_id: roomFolder(work, before.folder) });
  }
  const missing = changesOf(work, 'rooms', 'create');
  async function* documents() {
    for (const { to } of missing) {
      const document = await to!.read();
      yield localRoom(work, document, idsIn(work), newIds(document));
    }
  }
  const ids = await sendDocuments(work, documents(), sendRooms(work));
  for (const [at, { to }] of missing.entries()) if (ids[at]) work.ids.rooms.set(to!.key, ids[at]);
  noteDone(work, missing.length, 'new room');
}

/** Creates and updates structures by path, and orders them as in the export. */
export async function applyStructures(work: Work): Promise<void> {
  const { client } = work.connection;
  const send: SendFile = (request, idempotencyKey) => client.imports.endpointsFile({ ...request, idempotencyKey });
  const [missing, changed] = [changesOf(work, 'endpoints', 'create'), changesOf(work, 'endpoints', 'update')];
  const documentsOf = async (entries: readonly { to: Entry | undefined }[]) => {
    const documents: Json[] = [];
    for (const { to } of entries) {
      const { room_folder, ...document } = await to!.read();
      documents.push({ ...document, ...(document.room !== null && { room_folder }) });
    }
    return documents;
  };
  const shown = (await documentsOf(missing)).filter(({ room, path }) => {
    if (room === null) work.remarks.push(`The structure "${String(path)}" shows no room. Add it in the back-office.`);
    return room !== null;
  });
  const { length } = work.undo;
  await sendDocuments(work, shown, send, { mode: 'upsert' });
  // Sorting changes new structures, which would prevent their removal. Others are changed afterwards.
  if (await sortStructures(work)) await work.undo.forceSince(length);
  await sendDocuments(work, await documentsOf(changed), send, { mode: 'upsert' });
  noteDone(work, shown.length + changed.length, 'structure');
  for (const { path, id } of await allEndpoints(client)) work.ids.endpoints.set(path, id);
}

const sortingOf = (tree: readonly Endpoint[]) =>
  tree.map(({ id, children }) => ({ id, children: children.map((child) => ({ id: child.id })) }));

/** Orders structures as in the export; others keep their places. @returns whether anything was moved */
async function sortStructures({ connection: { client }, archive, undo }: Work): Promise<boolean> {
  const places = new Map(archive.entries.endpoints.map(({ key }, at) => [key, at]));
  const ordered = (list: readonly Endpoint[], above: string): Endpoint[] => {
    const known = list.filter(({ slug }) => places.has(above + slug));
    const wanted = known.toSorted((a, b) => places.get(above + a.slug)! - places.get(above + b.slug)!);
    return list
      .map((each) => (known.includes(each) ? wanted.shift()! : each))
      .map((each) => ({ ...each, children: ordered(each.children, `${above}${each.slug}/`) }));
  };
  const tree = await client.endpoints.list();
  const [before, after] = [sortingOf(tree), sortingOf(ordered(tree, ''))];
  if (JSON.stringify(before) === JSON.stringify(after)) return false;
  await client.endpoints.reorder({ body: { sort: after } });
  await undo.add({ do: 'reorder', sort: before });
  return true;
}

/** Ids of media files by URL and name, for calls that take ids. */
export function fileIn({ ids, server }: Work, file: Json): number | null {
  const hash = server.hashes.portable(hashIn(String(file.url)));
  const exact = ids.media.get(`${hash} ${String(file.name)}`);
  return exact ?? [...ids.media].find(([key]) => key.startsWith(`${hash} `))?.[1] ?? null;
}

/** Creates and updates blocks by name. @returns their versions by name */
export async function applyBlocks(work: Work): Promise<Map<string, number>> {
  const { client } = work.connection;
  const structures = new Map((await allEndpoints(client)).map((each) => [each.path, each]));
  const viewPoints = new ViewPoints(work.connection, structures);
  const ids: Ids = {
    ...idsIn(work, viewPoints),
    file: (file) => fileIn(work, file),
    structure: (path) => structures.get(path)?.id ?? null,
  };
  const local = async (document: Json, elements: ReadonlyMap<number, number>) => {
    await viewPoints.load(document);
    return renumberTree([withIds(document.element, ids) as Nested], elements)[0]!;
  };
  const [missing, changed] = [changesOf(work, 'blocks', 'create'), changesOf(work, 'blocks', 'update')];
  for (const { to, name } of missing) {
    const document = await to!.read();
    const own = new Map([...inOrder([document.element as Nested])].map(({ id }) => [id, id]));
    const { id } = await client.blocks.create({ body: { name, element: await local(document, own) } });
    await work.undo.add({ do: 'remove', what: 'blocks', id, name });
    work.ids.blocks.set(name, id);
  }
  for (const { from, to, name } of changed) {
    const params = { id: from!.id! };
    const [before, after] = [await from!.read(), await to!.read()];
    const { element: stored } = await client.blocks.read({ params });
    const numbers = elementIds([after.element as Nested], [before.element as Nested], idsOf([stored as Nested]));
    const { updated_at } = await client.blocks.update({ params, body: { element: await local(after, numbers) } });
    await work.undo.add({ do: 'write', what: 'blocks', ...params, name, body: { element: stored, updated_at } });
  }
  noteDone(work, missing.length + changed.length, 'block');
  const versions = new Map<string, number>();
  for (const [name, id] of work.ids.blocks) versions.set(name, (await client.blocks.read({ params: { id } })).version);
  return versions;
}

/**
 * Writes changed rooms, and the links of new ones: all structures and blocks exist now. Links to view points of rooms that
 * change at the same time are complete after the second round.
 */
export async function writeRooms(work: Work, blockVersions: ReadonlyMap<string, number>): Promise<void> {
  const { client } = work.connection;
  const changed = changesOf(work, 'rooms', 'update');
  const round = async (entries: readonly { to: Entry; id: number }[], isLast: boolean, sent: Map<number, string>) => {
    const structures = new Map((await allEndpoints(client)).map((each) => [each.path, each]));
    const viewPoints = new ViewPoints(work.connection, structures);
    async function* documents() {
      for (const { to, id } of entries) {
        const document = await to.read();
        await viewPoints.load(document);
        const stored = (await client.rooms.read({ params: { id } })).elements as Nested[];
        const positions = new Map(idsOf(stored).map((each, at) => [each, at + 1]));
        const elements = elementIds(document.elements as Nested[], renumberTree(stored, positions), idsOf(stored));
        const local = localRoom(work, document, idsIn({ ...work, blockVersions }, viewPoints), elements);
        const text = JSON.stringify([...arrivalsOf(local)]);
        if (isLast && sent.get(id) === text) continue;
        sent.set(id, text);
        yield local;
      }
    }
    await sendDocuments(work, documents(), sendRooms(work));
  };
  const entries = changed.map(({ from, to }) => ({ to: to!, id: from!.id! }));
  const linked: typeof entries = [];
  for (const { to } of changesOf(work, 'rooms', 'create')) {
    const id = work.ids.rooms.get(to!.key);
    const document = await to!.read();
    if (id !== undefined && (hasReferences(document) || !arrivalsOf(document).next().done))
      linked.push({ to: to!, id });
  }
  const sent = new Map<number, string>();
  await round([...entries, ...linked], false, sent);
  const arriving: typeof entries = [];
  for (const entry of [...entries, ...linked]) if (!arrivalsOf(await entry.to.read()).next().done) arriving.push(entry);
  await round(arriving, true, sent);
  noteDone(work, changed.length, 'changed room');
}
