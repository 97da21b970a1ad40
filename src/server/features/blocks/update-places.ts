import {
  matchPlace,
  type PlaceElement,
  placesOf,
  type Replacement,
  sameContentAs,
  type Update,
  updatedPlace,
  withPlaces,
} from '../../../../engine/document/blocks.ts';
import { MAX_DEPTH } from '../../../../engine/document/constants.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { isSame } from '../../../../engine/document/field-paths.ts';
import { ancestorsOf, branchOf, findElement } from '../../../../engine/document/tree.ts';
import type { BlockUpdate } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { StoredChange } from '../../core/changes/change-log.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import { takeIds } from '../../core/db/reserve-ids.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { withoutMissingFiles } from '../media/queries.ts';
import { announce, commitDocument } from '../rooms/commit.ts';
import { changeRoom } from '../rooms/edit-elements.ts';
import { lockRoom } from '../rooms/queries.ts';
import { roomAt } from '../rooms/read-room.ts';
import { recordCommitted } from '../rooms/record-committed.ts';
import { checkCount, heightOf } from '../rooms/tree.ts';
import { blockRows, findVersions } from './queries.ts';

/** Maximum number of named places. */
const MAX_NAMED = 20;

const placeName = ({ id, name }: PlaceElement): string => name || `Group ${id}`;

/** The fact by which a change log entry about updated places is found. */
export const BLOCK_FACT = 'of_block';

/** Facts of a change log entry about updated places. */
interface UpdateFacts {
  of_block: number;
  block: string;
  block_version: number;
  block_places: number;
}

/**
 * Updates the places of a block in a space to its newest version, as one entry of its log.
 * @param options whether to update places with changes of their own, too
 * @throws ApiError not_found, or invalid if the space would become too large
 */
export async function updatePlacesIn(
  context: CallContext,
  roomId: number,
  { block_id, overwrite }: { block_id: number; overwrite: boolean },
): Promise<BlockUpdate> {
  const { organizationId } = context;
  return changeRoom(context, roomId, async ({ db, room, become }) => {
    const { name, version } = orNotFound(await blockRows.find(db, organizationId, block_id));
    const { elements } = room;
    const places = placesOf(elements, block_id);
    const versions = await findVersions(db, block_id, [
      version,
      ...new Set(places.map(({ config }) => config.block_version ?? 0)),
    ]);
    // The block may have been removed since it was read.
    const block = { id: block_id, version, elements: orNotFound(versions.get(version)) };
    const checks = new Map([...versions].map(([each, content]) => [each, sameContentAs(content)]));
    const depth = heightOf(block.elements, block.elements[0]);
    const skipped: string[] = [];
    const found: { branch: Element[]; match: Update }[] = [];
    /** Elements of these places. */
    const replaced = new Set<number>();
    let count = elements.length;
    const work = new WorkInPieces();
    for (const place of places) {
      await work.pause();
      // An outer place of the same block replaces it.
      if (replaced.has(place.id)) continue;
      const branch = branchOf(elements, place.id);
      const own = place.config.block_version ?? 0;
      const isChanged = !checks.get(own)?.(branch);
      if (!isChanged && own === version) continue;
      if (isChanged && !overwrite) {
        skipped.push(placeName(place));
        continue;
      }
      if (ancestorsOf(elements, place.id).length + depth > MAX_DEPTH)
        throw new ApiError('invalid', `“${placeName(place)}” would be nested deeper than ${MAX_DEPTH} levels.`);
      count += block.elements.length - branch.length;
      found.push({ branch, match: matchPlace(branch, versions.get(own), block) });
      for (const { id } of branch) replaced.add(id);
    }
    checkCount(count);
    const updated = found.length;
    if (updated > 0) {
      const missing = found.reduce((sum, { match }) => sum + match.missing.length, 0);
      const ids = missing > 0 ? await takeIds(db, 'elements', missing) : [];
      const replacements: Replacement[] = [];
      let taken = 0;
      for (const { branch, match } of found) {
        await work.pause();
        const own = ids.slice(taken, taken + match.missing.length);
        taken += own.length;
        replacements.push({ branch, after: updatedPlace(branch, match, block, own) });
      }
      const facts: UpdateFacts = { of_block: block_id, block: name, block_version: version, block_places: updated };
      await become({ ...room, elements: withPlaces(elements, replacements) }, { origin: 'block', facts });
    }
    return { updated, skipped: skipped.slice(0, MAX_NAMED), room: room.name || room.title };
  });
}

const factsOf = ({ after }: StoredChange): UpdateFacts | null => {
  const facts = after === null ? null : (JSON.parse(after) as Partial<UpdateFacts>);
  return facts?.of_block === undefined ? null : (facts as UpdateFacts);
};

/** Whether a change log entry is about updated places of a block. */
export const isPlacesUpdate = (change: StoredChange): boolean =>
  change.entity === 'room' && change.action === 'update' && change.seq !== null && factsOf(change) !== null;

/** A place before and after an update. */
interface Undone {
  place: PlaceElement;
  before: readonly Element[];
  after: readonly Element[];
}

/** A branch without the fields of its group that an update leaves alone. */
const contentOf = ([group, ...others]: readonly Element[], before: Element): readonly Element[] => {
  const { config, width, height, depth, ignore_light } = group!;
  return [{ ...before, config, width, height, depth, ignore_light } as Element, ...others];
};

/** Why a place can't be undone; undefined if it can. */
function conflictOf(elements: readonly Element[], { place, before, after }: Undone): string | undefined {
  const now = branchOf(elements, place.id);
  if (now.length === 0) return `“${placeName(place)}” has been removed since`;
  if (!isSame(contentOf(now, after[0]!), contentOf(after, after[0]!)))
    return `“${placeName(place)}” has been changed since`;
  const own = new Set(now.map(({ id }) => id));
  const isTaken = before.some(({ id }) => !own.has(id) && findElement(elements, id));
  return isTaken ? `An element of “${placeName(place)}” is elsewhere now` : undefined;
}

/**
 * Undoes an update of a block's places in a space. Later changes elsewhere in the space stay; places that have been changed
 * since are left and reported.
 * @param change an entry for which `isPlacesUpdate` is true
 * @throws ApiError invalid if nothing of it can be undone
 */
export async function undoPlacesUpdate(
  db: Database,
  context: SignedInContext,
  change: StoredChange,
): Promise<{ missing: string[]; done: () => void }> {
  const { organizationId } = context;
  const { entity_id, name, seq, id } = change;
  const row = orNotFound(await lockRoom(db, organizationId, entity_id));
  const was = await roomAt(db, organizationId, entity_id, seq! - 1);
  const is = await roomAt(db, organizationId, entity_id, seq!);
  if (!was || !is)
    throw new ApiError('invalid', `The update of ${name} can't be undone: its log no longer includes it.`);
  // Places whose files have been removed since are otherwise unchanged.
  const after = await withoutMissingFiles(db, organizationId, is.elements);
  const work = new WorkInPieces();
  const updates: Undone[] = [];
  for (const place of placesOf(is.elements, factsOf(change)!.of_block)) {
    await work.pause();
    const before = branchOf(was.elements, place.id);
    if (before.length > 0 && !isSame(before, branchOf(is.elements, place.id)))
      updates.push({ place, before, after: branchOf(after.rows, place.id) });
  }
  const room = await context.documents.ofLocked(db, row);
  const replacements: Replacement[] = [];
  const missing: string[] = [];
  for (const update of updates) {
    await work.pause();
    const conflict = conflictOf(room.elements, update);
    if (conflict) {
      missing.push(`${conflict} in ${name}`);
      continue;
    }
    const branch = branchOf(room.elements, update.place.id);
    replacements.push({ branch, after: contentOf(update.before, branch[0]!) });
  }
  if (replacements.length === 0) throw new ApiError('invalid', `${missing.slice(0, MAX_NAMED).join('; ')}.`);
  const restored = await withoutMissingFiles(db, organizationId, withPlaces(room.elements, replacements));
  missing.push(...restored.missing);
  const committed = await commitDocument(db, context, row, { origin: 'block' }, { ...room, elements: restored.rows });
  await recordCommitted(db, context, row, committed);
  const about = { entity_id, room_id: entity_id, name, seq: committed.seq };
  const facts = { undone: id, block_places: replacements.length };
  await recordChange(db, context, { action: 'restore', entity: 'room', ...about, facts });
  return { missing: missing.slice(0, MAX_NAMED), done: () => announce(context, row, committed) };
}
