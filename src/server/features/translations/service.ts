import { Readable } from 'node:stream';
import type { RoomCommand } from '../../../../engine/document/commands.ts';
import { canonicalTag } from '../../../../engine/document/languages.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { keyOf } from '../../../../engine/document/translation-fields.ts';
import {
  sourceTexts,
  stateOf,
  type TranslationEdit,
  translationCommand,
  translationsOf,
} from '../../../../engine/document/translations.ts';
import { byId } from '../../../../engine/document/tree.ts';
import { MAX_PLANNED, type TranslationPlan } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { MAX_TRANSLATIONS_BYTES } from '../../../contract/file-limits.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import type { TranslationFile } from '../../core/files/inspect/translations/read-translations.ts';
import type { Upload } from '../../core/files/upload.ts';
import { cleanAhead } from '../../core/files/workers/clean-ahead.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { Download } from '../../core/http/download.ts';
import { orNotFound } from '../../core/http/found.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { changeRoom } from '../rooms/edit-elements.ts';
import { findRoom } from '../rooms/queries.ts';
import { readRoom } from '../rooms/read-room.ts';
import { csvOf, spaceName, unitName, xliffOf } from './write-translations.ts';

const TYPES = { xliff: 'application/xliff+xml; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const;

/** The texts of a space with their translations, as a file. @throws ApiError not_found */
export async function exportTranslations(
  { db, organizationId }: SignedInContext,
  id: number,
  { language, format }: { language: string; format: keyof typeof TYPES },
): Promise<Download> {
  const room = await readRoom(db, orNotFound(await findRoom(db, organizationId, id)));
  const pieces = format === 'xliff' ? xliffOf(room, language) : csvOf(room, language);
  return new Download(
    `${room.title} ${language}.${format === 'xliff' ? 'xlf' : 'csv'}`,
    Readable.from(pieces),
    TYPES[format],
  );
}

/** Texts as they compare: files have their own line breaks, and tables no spaces at the ends. */
const comparable = (text: string) => text.replace(/\r\n?/g, '\n').trim();

const CHANGED = 'The text has changed since the export. Export it again.';

/** Planned changes of a space. */
interface Plan {
  commands: RoomCommand[];
  changes: TranslationPlan['changes'];
  refused: TranslationPlan['refused'];
  unchanged: number;
}

async function planOf(room: Room, language: string, { units }: TranslationFile): Promise<Plan> {
  const texts = new Map(sourceTexts(room).map((text) => [unitName(text), text]));
  const things = byId(room.elements);
  const thingOf = (id: number | null) => (id === null ? room : things.get(id)!);
  const plan: Plan = { commands: [], changes: [], refused: [], unchanged: 0 };
  const edits = new Map<number | null, (TranslationEdit & { source: string; before: string | null })[]>();
  const seen = new Set<string>();
  for (const { name, source, target, isFinal } of units) {
    const text = texts.get(name);
    const { id = null, path = name.slice(0, 200) } = text ?? {};
    const refuse = (message: string) => plan.refused.push({ id, path, message });
    if (!text) refuse("The space doesn't have this text.");
    else if (seen.has(name)) refuse('The file contains this text twice.');
    else if (comparable(source) !== comparable(text.text)) refuse(CHANGED);
    else {
      const own = translationsOf(thingOf(id))[keyOf(language, path)];
      const isEqual = own !== undefined && comparable(own.text) === comparable(target);
      // An approved draft or outdated translation is a change, even if its text is the same.
      const isApproved = isFinal && stateOf(own, text.text) !== 'done';
      if (target.trim() === '' || (isEqual && !isApproved)) plan.unchanged++;
      else
        edits.set(id, [
          ...(edits.get(id) ?? []),
          { id, path, text: target, source: text.text, before: own?.text ?? null },
        ]);
    }
    seen.add(name);
  }
  const work = new WorkInPieces();
  for (const [id, own] of edits) {
    const { command, refused } = translationCommand(thingOf(id), language, own);
    if (command) plan.commands.push(command);
    plan.refused.push(...refused);
    const isRefused = new Set(refused.map(unitName));
    for (const edit of own)
      if (!isRefused.has(unitName(edit)))
        plan.changes.push({ id, path: edit.path, before: edit.before, after: edit.text });
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
  if (!upload) throw new ApiError('invalid', { file: ['Choose a file.'] });
  const { db, media, workers, organizationId } = context;
  const seen = await readRoom(db, orNotFound(await findRoom(db, organizationId, id)));
  const arrival = await media.receive(upload, { most: MAX_TRANSLATIONS_BYTES });
  const file = await workers
    .run('readTranslations', arrival.file, ofOrganization(organizationId))
    .finally(() => media.discard(arrival));
  if (file.space !== null && file.space !== spaceName(id))
    throw new ApiError('invalid', { file: ['This file contains the texts of another space.'] });
  if (file.language !== null && canonicalTag(file.language) !== language)
    throw new ApiError('invalid', {
      file: [`This file contains translations into ${file.language}, not ${language}.`],
    });
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
