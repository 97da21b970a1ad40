import type { DemoKind, DemoPart, KeptReason } from '../../../contract/entities.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { DEMO_NOTE, readNote, writeNote } from '../../core/db/notes.ts';
import { countTokens, listEndpoints, type StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { countItems } from '../feeds/feed-items-repository.ts';
import { feedUsesOf } from '../feeds/feed-uses.ts';
import { usesOfTemplate } from '../templates/templates-repository.ts';

/** Something that the demo may consist of, as it is now. */
interface Thing {
  id: number;
  name: string;
  /** Differs as soon as a person has changed it. */
  stamp: string;
}

/** What a person may have changed about a structure; its place among the others is not. */
const stampOf = ({
  name,
  slug,
  room_id,
  parent_endpoint_id,
  is_visible,
  is_timed,
  is_protected,
  shows,
}: StoredEndpoint) =>
  JSON.stringify([name, slug, room_id, parent_endpoint_id, is_visible, is_timed, is_protected, shows]);

/** Everything of an organization that may belong to its demo. */
async function readThings(db: Database, organizationId: number): Promise<Record<DemoKind, Thing[]>> {
  const own = { column: 'organization_id', is: organizationId } as const;
  const rooms = await db
    .selectFrom('rooms')
    .select(['id', 'title', 'seq'])
    .where(own.column, '=', own.is)
    .orderBy('id')
    .execute();
  const templates = await db
    .selectFrom('templates')
    .select(['id', 'name', 'updated_at'])
    .where(own.column, '=', own.is)
    .orderBy('id')
    .execute();
  const feeds = await db
    .selectFrom('feeds')
    .select(['id', 'name', 'updated_at'])
    .where(own.column, '=', own.is)
    .orderBy('id')
    .execute();
  const items = await countItems(
    db,
    feeds.map(({ id }) => id),
  );
  return {
    structure: (await listEndpoints(db, organizationId)).map((row) => ({
      id: row.id,
      name: row.name,
      stamp: stampOf(row),
    })),
    space: rooms.map(({ id, title, seq }) => ({ id, name: title, stamp: String(seq) })),
    template: templates.map(({ id, name, updated_at }) => ({ id, name, stamp: updated_at })),
    feed: feeds.map(({ id, name, updated_at }) => ({
      id,
      name,
      stamp: `${updated_at} ${items.get(id)?.items ?? 0}`,
    })),
  };
}

/** Notes that all that an organization has now is the demo. */
export async function noteDemo(db: Database, clock: Clock, organizationId: number): Promise<void> {
  const things = await readThings(db, organizationId);
  const files = await db.selectFrom('media').select('id').where('organization_id', '=', organizationId).execute();
  const stamps = (kind: DemoKind) => Object.fromEntries(things[kind].map(({ id, stamp }) => [id, stamp]));
  await writeNote(db, clock, DEMO_NOTE, {
    organization_id: organizationId,
    parts: {
      structure: stamps('structure'),
      space: stamps('space'),
      template: stamps('template'),
      feed: stamps('feed'),
    },
    files: files.map(({ id }) => id),
    removed_at: null,
  });
}

/** Ids of the structures and spaces that the demo of an organization was made of. */
export async function demoIds(
  db: Database,
  organizationId: number,
): Promise<{ structures: number[]; spaces: number[] }> {
  const note = await readNote(db, DEMO_NOTE);
  if (note?.organization_id !== organizationId) return { structures: [], spaces: [] };
  const idsOf = (kind: DemoKind) => Object.keys(note.parts[kind]).map(Number);
  return { structures: idsOf('structure'), spaces: idsOf('space') };
}

/**
 * What is left of the demo of an organization, each with why it would stay: what a person has changed or uses, and what
 * that needs.
 */
export async function demoParts(db: Database, organizationId: number): Promise<DemoPart[]> {
  const note = await readNote(db, DEMO_NOTE);
  if (note?.organization_id !== organizationId) return [];
  const things = await readThings(db, organizationId);
  const partsOf = (kind: DemoKind): DemoPart[] =>
    things[kind].flatMap(({ id, name, stamp }) => {
      const made = note.parts[kind][id];
      return made === undefined ? [] : [{ kind, id, name, kept: made === stamp ? null : 'changed' }];
    });
  const keep = (parts: DemoPart[], isKept: (part: DemoPart) => boolean, reason: KeptReason) => {
    for (const part of parts) if (part.kept === null && isKept(part)) part.kept = reason;
  };
  const gone = (parts: DemoPart[]) => new Set(parts.filter(({ kept }) => kept === null).map(({ id }) => id));

  const structures = partsOf('structure');
  const tokens = await countTokens(db, organizationId);
  keep(structures, ({ id }) => (tokens.get(id) ?? 0) > 0, 'tokens');
  const endpoints = await listEndpoints(db, organizationId);
  const going = gone(structures);
  const stays = (id: number) => !going.has(id);
  keep(structures, ({ id }) => endpoints.some((row) => row.parent_endpoint_id === id && stays(row.id)), 'used');

  const spaces = partsOf('space');
  const published = await db
    .selectFrom('publications')
    .select('room_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .execute();
  const publishedIds = new Set(published.map(({ room_id }) => room_id));
  keep(spaces, ({ id }) => publishedIds.has(id), 'published');
  const goingNow = gone(structures);
  const shown = new Set(endpoints.filter(({ id }) => !goingNow.has(id)).map(({ room_id }) => room_id));
  keep(spaces, ({ id }) => shown.has(id), 'used');

  const roomsLeft = things.space.map(({ id }) => id).filter((id) => !gone(spaces).has(id));
  const templates = partsOf('template');
  const users = await db
    .selectFrom('rooms')
    .select(['id', 'template_id'])
    .where('organization_id', '=', organizationId)
    .where('template_id', 'is not', null)
    .execute();
  const left = new Set(roomsLeft);
  const needed = new Set(users.filter(({ id }) => left.has(id)).map(({ template_id }) => template_id));
  const others = new Set<number>();
  for (const { id } of templates)
    if ((await usesOfTemplate(db, organizationId, id)).includes('Settings of the organization')) others.add(id);
  keep(templates, ({ id }) => needed.has(id) || others.has(id), 'used');

  const feeds = partsOf('feed');
  const uses = [...(await feedUsesOf(db, roomsLeft)).values()];
  keep(feeds, ({ id }) => uses.some(({ shown, shared }) => shown.has(id) || shared.has(id)), 'used');
  return [...structures, ...spaces, ...templates, ...feeds];
}
