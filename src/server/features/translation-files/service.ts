import type { z } from 'zod';
import type { RoomCommand } from '../../../../engine/document/commands.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { type TranslationEdit, translationCommand } from '../../../../engine/document/translations.ts';
import { byId } from '../../../../engine/document/tree.ts';
import type { calls } from '../../../contract/calls.ts';
import type { TranslationPlan } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { TranslatedUnit } from '../../core/files/inspect/translations/read-translations.ts';
import type { Upload } from '../../core/files/upload.ts';
import { cleanAhead } from '../../core/files/workers/clean-ahead.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { Download } from '../../core/http/download.ts';
import { orNotFound } from '../../core/http/found.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { changeRoom } from '../rooms/edit-elements.ts';
import { findRoom } from '../rooms/queries.ts';
import { readRoom } from '../rooms/read-room.ts';
import { matchedUnits, readFile, translatorDownload } from '../translations/files.ts';
import {
  asPlan,
  ownedUnits,
  type PlannedTexts,
  partOfName,
  planOwned,
  storeTexts,
} from '../translations/owned-texts.ts';
import { spaceName, unitName, unitsOf } from '../translations/write-translations.ts';
import { ownersOf, refusalOf, type Space, schemasOf, seenParts } from './parts.ts';

const UNKNOWN = "The space doesn't have this text.";

const fileIdsOf = ({ elements }: Room) => elements.map(({ file_id }) => file_id);

/** The texts of a space with their translations, as a file. @throws ApiError not_found */
export async function exportTranslations(
  context: SignedInContext,
  id: number,
  { with: wanted, ...options }: z.output<typeof calls.translations.export.query>,
): Promise<Download> {
  const { db, organizationId } = context;
  const row = orNotFound(await findRoom(db, organizationId, id));
  const room = await readRoom(db, row);
  const { title, config } = room;
  const parts = seenParts(context, wanted.split(','));
  const owners = await ownersOf(db, context, { ...row, fileIds: fileIdsOf(room) }, { parts });
  const units = [...unitsOf(room, options.language), ...ownedUnits(owners, options.language)];
  return translatorDownload({ name: spaceName(id), title, source: config.language, units }, options);
}

/** Planned changes of the texts of a space itself. */
interface Plan extends PlannedTexts {
  commands: RoomCommand[];
}

async function planOf(room: Room, language: string, units: readonly TranslatedUnit[]): Promise<Plan> {
  const things = byId(room.elements);
  const { matched, refused, unchanged } = matchedUnits(unitsOf(room, language), units, UNKNOWN);
  const plan: Plan = {
    commands: [],
    changes: [],
    refused: refused.map(({ unit, name, message }) => ({
      id: unit?.id ?? null,
      path: unit?.path ?? name.slice(0, 200),
      message,
    })),
    unchanged,
  };
  const work = new WorkInPieces();
  for (const [id, own] of Map.groupBy(matched, ({ unit }) => unit.id)) {
    const edits = own.map(({ unit, target }): TranslationEdit & { source: string } => ({
      id,
      path: unit.path,
      text: target,
      source: unit.text,
    }));
    const made = translationCommand(id === null ? room : things.get(id)!, language, edits);
    if (made.command) plan.commands.push(made.command);
    plan.refused.push(...made.refused);
    const isRefused = new Set(made.refused.map(unitName));
    for (const { unit, target } of own)
      if (!isRefused.has(unit.name))
        plan.changes.push({ id, path: unit.path, before: unit.translation?.text ?? null, after: target });
    await work.pause();
  }
  return plan;
}

/**
 * Compares a file of translations with a space and what belongs to it, and applies it if `apply` is 1.
 * @throws ApiError not_found; bad_file; invalid for another space or language
 */
export async function importTranslations(
  context: SignedInContext,
  id: number,
  upload: Upload | undefined,
  { language, apply }: { language: string; apply: '0' | '1' },
): Promise<TranslationPlan> {
  const { db, workers, organizationId } = context;
  const seenRow = orNotFound(await findRoom(db, organizationId, id));
  const seen = await readRoom(db, seenRow);
  const { units } = await readFile(context, upload, { name: spaceName(id), language });
  const own = units.filter(({ name }) => partOfName(name) === undefined);
  const others = units.filter(({ name }) => partOfName(name) !== undefined);
  const parts = seenParts(
    context,
    others.map(({ name }) => partOfName(name)),
  );
  const planParts = async (database: Database, space: Space, isLocked: boolean) =>
    planOwned(await ownersOf(database, context, space, { parts, isLocked }), others, {
      language,
      unknown: UNKNOWN,
      schemasOf,
      refusalOf: (part) => refusalOf(context, part),
    });
  const joined = (plan: Plan, also: PlannedTexts, seq: number | null) =>
    asPlan(
      {
        changes: [...plan.changes, ...also.changes],
        refused: [...plan.refused, ...also.refused],
        unchanged: plan.unchanged + also.unchanged,
      },
      seq,
    );
  if (apply === '0') {
    const also = await planParts(db, { ...seenRow, fileIds: fileIdsOf(seen) }, false);
    return joined(await planOf(seen, language, own), also, null);
  }
  const html = await cleanAhead(workers, (cleaner) => {
    for (const { target } of own) {
      cleaner.page(target);
      cleaner.richText(target);
    }
  });
  return changeRoom(
    context,
    id,
    async ({ db: locked, room, row, commit }) => {
      const plan = await planOf(room, language, own);
      const also = await planParts(locked, { ...row, fileIds: fileIdsOf(room) }, true);
      for (const [owner, texts] of also.texts) await storeTexts(locked, owner, language, texts);
      if (plan.commands.length === 0) return joined(plan, also, null);
      const { seq, entry } = await commit(plan.commands, html, {}, { origin: 'translation' });
      return joined(plan, also, entry ? seq : row.seq);
    },
    // Changes of structures hold this lock, too.
    (locked) => (parts.length > 0 ? lockOrganization(locked, organizationId) : Promise.resolve()),
  );
}
