import type { Room } from '../../../../engine/document/room.ts';
import {
  type SourceText,
  type TranslationEdit,
  translationCommands,
} from '../../../../engine/document/translations.ts';
import { MAX_PLANNED, type TranslationDrafts } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { cleanAhead } from '../../core/files/workers/clean-ahead.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { refuseUnpublished } from '../rooms/commit.ts';
import { changeRoom } from '../rooms/edit-elements.ts';
import { findRoom } from '../rooms/queries.ts';
import { readRoom } from '../rooms/read-room.ts';
import { askTranslator, batchesOf, type SentText } from './ask-translator.ts';
import { webhookOf } from './webhook.ts';
import { type Unit, unitsOf } from './write-translations.ts';

/** Maximum requests per call, and how many run at a time: a call ends within a minute. */
const MAX_BATCHES = 12;
const MAX_REQUESTS = 4;

interface Wanted {
  language: string;
  /** Whether outdated translations are replaced, too. */
  outdated: boolean;
}

/** Texts of a space that need a translation. */
const openTexts = (room: Room, { language, outdated }: Wanted): (Unit & SourceText)[] =>
  unitsOf(room, language).filter(({ state }) => state === 'missing' || (outdated && state === 'outdated'));

/** Has all batches translated, or none: after a failure, no further request is sent. @throws ApiError provider_failed */
async function translateAll(
  context: SignedInContext,
  batches: readonly SentText[][],
  languages: { source: string | null; target: string },
): Promise<Map<string, string>> {
  const webhook = await webhookOf(context.db, context.organizationId);
  const translations = new Map<string, string>();
  const waiting = [...batches];
  const work = async () => {
    for (let texts = waiting.shift(); texts; texts = waiting.shift())
      try {
        for (const [id, text] of await askTranslator(context, webhook, { ...languages, texts }))
          translations.set(id, text);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
  };
  await Promise.all(Array.from({ length: MAX_REQUESTS }, work));
  return translations;
}

/** Organizations with a draft in progress on this server: two at once would translate, and pay for, the same texts. */
const drafting = new WeakMap<SignedInContext['documents'], Set<number>>();

/** @throws ApiError too_many */
function enterDraft({ documents, organizationId }: SignedInContext): () => void {
  const busy = drafting.get(documents) ?? new Set<number>();
  drafting.set(documents, busy);
  if (busy.has(organizationId))
    throw new ApiError('too_many', 'Texts are being translated already. Wait until that has finished.');
  busy.add(organizationId);
  return () => void busy.delete(organizationId);
}

/**
 * Translates texts of a space with the organization's webhook, and stores them as drafts in one change.
 * @throws ApiError not_found; invalid for the main language; not_set_up; or provider_failed
 */
export async function draftTranslations(
  context: SignedInContext,
  id: number,
  { apply, ...wanted }: Wanted & { apply: boolean },
): Promise<TranslationDrafts> {
  const { db, workers, organizationId } = context;
  const { language: target } = wanted;
  const room = await readRoom(db, orNotFound(await findRoom(db, organizationId, id)));
  const source = room.config.language ?? null;
  if (target === source)
    throw new ApiError('invalid', { language: ['This is the main language of the space. Choose another one.'] });
  const texts = openTexts(room, wanted);
  const nothing = { refused: [], counts: { drafted: 0, refused: 0, left: texts.length }, seq: null };
  if (!apply || texts.length === 0) return nothing;
  await refuseUnpublished(db, context, id);
  const batches = batchesOf(texts.map(({ name, text, kind }) => ({ id: name, text, format: kind })));
  const leave = enterDraft(context);
  const translations = await translateAll(context, batches.slice(0, MAX_BATCHES), { source, target }).finally(leave);
  const html = await cleanAhead(workers, (cleaner) => {
    for (const text of translations.values()) {
      cleaner.page(text);
      cleaner.richText(text);
    }
  });
  const sent = new Map(texts.map(({ name, text }) => [name, text]));
  return changeRoom(context, id, async ({ room: current, row, commit }) => {
    const open = openTexts(current, wanted);
    const edits: TranslationEdit[] = [];
    const refused: TranslationDrafts['refused'] = [];
    for (const text of open) {
      const { id: element, path } = text;
      const translation = translations.get(text.name);
      // A text that has changed since keeps waiting.
      if (translation === undefined || sent.get(text.name) !== text.text) continue;
      if (translation.trim() === '') refused.push({ id: element, path, message: 'The webhook returned no text.' });
      else edits.push({ id: element, path, text: translation, draft: true });
    }
    const made = translationCommands(current, target, edits);
    refused.push(...made.refused);
    const drafted = edits.length - made.refused.length;
    const counts = { drafted, refused: refused.length, left: open.length - drafted - refused.length };
    const result = { refused: refused.slice(0, MAX_PLANNED), counts, seq: null };
    if (made.commands.length === 0) return result;
    const { seq, entry } = await commit(made.commands, html, {}, { origin: 'translation' });
    return { ...result, seq: entry ? seq : row.seq };
  });
}
