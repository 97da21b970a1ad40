import type { RoomCommand } from '../../../../engine/document/commands.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { type TranslationEdit, translationCommand } from '../../../../engine/document/translations.ts';
import { byId } from '../../../../engine/document/tree.ts';
import { MAX_PLANNED, type TranslationPlan } from '../../../contract/entities.ts';
import type { TranslationFile } from '../../core/files/inspect/translations/read-translations.ts';
import type { Upload } from '../../core/files/upload.ts';
import { cleanAhead } from '../../core/files/workers/clean-ahead.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { Download } from '../../core/http/download.ts';
import { orNotFound } from '../../core/http/found.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { changeRoom } from '../rooms/edit-elements.ts';
import { findRoom } from '../rooms/queries.ts';
import { readRoom } from '../rooms/read-room.ts';
import { type ExportOptions, matchedUnits, readFile, translatorDownload } from './files.ts';
import { spaceName, unitName, unitsOf } from './write-translations.ts';

/** The texts of a space with their translations, as a file. @throws ApiError not_found */
export async function exportTranslations(
  { db, organizationId }: SignedInContext,
  id: number,
  options: ExportOptions,
): Promise<Download> {
  const room = await readRoom(db, orNotFound(await findRoom(db, organizationId, id)));
  const { title, config } = room;
  const units = unitsOf(room, options.language);
  return translatorDownload({ name: spaceName(id), title, source: config.language, units }, options);
}

/** Planned changes of a space. */
interface Plan {
  commands: RoomCommand[];
  changes: TranslationPlan['changes'];
  refused: TranslationPlan['refused'];
  unchanged: number;
}

async function planOf(room: Room, language: string, file: TranslationFile): Promise<Plan> {
  const things = byId(room.elements);
  const { matched, refused, unchanged } = matchedUnits(
    unitsOf(room, language),
    file,
    "The space doesn't have this text.",
  );
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
 * Compares a file of translations with a space, and applies it if `apply` is 1.
 * @throws ApiError not_found; bad_file; invalid for another space or language
 */
export async function importTranslations(
  context: SignedInContext,
  id: number,
  upload: Upload | undefined,
  { language, apply }: { language: string; apply: '0' | '1' },
): Promise<TranslationPlan> {
  const { db, workers, organizationId } = context;
  const seen = await readRoom(db, orNotFound(await findRoom(db, organizationId, id)));
  const file = await readFile(context, upload, { name: spaceName(id), language });
  const asPlan = ({ changes, refused, unchanged }: Plan, seq: number | null): TranslationPlan => ({
    changes: changes.slice(0, MAX_PLANNED),
    refused: refused.slice(0, MAX_PLANNED),
    counts: { changed: changes.length, unchanged, refused: refused.length },
    seq,
  });
  if (apply === '0') return asPlan(await planOf(seen, language, file), null);
  const html = await cleanAhead(workers, (cleaner) => {
    for (const { target } of file.units) {
      cleaner.page(target);
      cleaner.richText(target);
    }
  });
  return changeRoom(context, id, async ({ room, row, commit }) => {
    const plan = await planOf(room, language, file);
    if (plan.commands.length === 0) return asPlan(plan, null);
    const { seq, entry } = await commit(plan.commands, html, {}, { origin: 'translation' });
    return asPlan(plan, entry ? seq : row.seq);
  });
}
