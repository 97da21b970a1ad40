import type { z } from 'zod';
import { parseTranslations, type TextsByField } from '../../../../engine/document/text-translations.ts';
import { stateOf } from '../../../../engine/document/translation-state.ts';
import { calls } from '../../../contract/calls.ts';
import { MAX_PLANNED, type TranslationPlan } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { Download } from '../../core/http/download.ts';
import { orNotFound } from '../../core/http/found.ts';
import { findEndpoint, listFamily, type StoredEndpoint, updateEndpoint } from '../endpoints/queries.ts';
import { recordEndpoint } from '../endpoints/service.ts';
import { type ExportOptions, matchedUnits, readFile, translatorDownload } from '../translations/files.ts';
import { translationsWith } from '../translations/text-columns.ts';
import type { Unit } from '../translations/write-translations.ts';
import { lockTree } from './service.ts';

const textsSchema = calls.endpoints.translate.body.shape.texts;

/** Stores translations of a locked structure. @throws ApiError invalid over the limit of languages */
async function storeTexts(
  db: Database,
  context: SignedInContext,
  row: StoredEndpoint,
  language: string,
  texts: TextsByField,
): Promise<void> {
  const translations = translationsWith(row.translations, language, texts, { name: row.name });
  if (translations === row.translations) return;
  const updated_at = nextTimestamp(context.clock, row.updated_at);
  await updateEndpoint(db, row.id, { translations, updated_at });
  await recordEndpoint(db, context, 'update', row, { ...row, translations });
}

/** Sets translations of a structure's texts in a language. @throws ApiError not_found or invalid */
export async function translateEndpoint(
  context: SignedInContext,
  id: number,
  { language, texts }: z.output<typeof calls.endpoints.translate.body>,
): Promise<void> {
  await lockTree(context, async (db, { own }) => {
    const row = orNotFound(own.find((other) => other.id === id));
    await storeTexts(db, context, row, language, texts);
  });
}

type StructureUnit = Unit & { row: StoredEndpoint };

/** The texts of structures with their translations into a language. */
const unitsOf = (rows: readonly StoredEndpoint[], language: string): StructureUnit[] =>
  rows.map((row) => {
    const translation = parseTranslations(row.translations)[language]?.name;
    const { id, name: text } = row;
    const state = stateOf(translation, text);
    return { row, name: `structure-${id}.name`, kind: 'plain', text, translation, state, note: 'Structure: Title' };
  });

/** A structure and those below it. */
const branchOf = (rows: readonly StoredEndpoint[], id: number): StoredEndpoint[] =>
  rows.filter((row) => row.id === id || row.parent_endpoint_id === id);

const fileName = (id: number): string => `structure-${id}`;

/** The texts of a structure and those below it, as a file for translators. @throws ApiError not_found */
export async function exportStructureTexts(
  { db, organizationId }: SignedInContext,
  id: number,
  options: ExportOptions,
): Promise<Download> {
  const { name: title } = orNotFound(await findEndpoint(db, organizationId, id));
  const units = unitsOf(branchOf(await listFamily(db, organizationId, id), id), options.language);
  return translatorDownload({ name: fileName(id), title, source: undefined, units }, options);
}

/**
 * Compares a file of translations with a structure and those below it, and applies it if `apply` is 1.
 * @throws ApiError not_found; bad_file; invalid for another structure or language
 */
export async function importStructureTexts(
  context: SignedInContext,
  id: number,
  upload: Upload | undefined,
  { language, apply }: { language: string; apply: '0' | '1' },
): Promise<TranslationPlan> {
  orNotFound(await findEndpoint(context.db, context.organizationId, id));
  const file = await readFile(context, upload, { name: fileName(id), language });
  let plan: TranslationPlan | undefined;
  await lockTree(context, async (db, { own }) => {
    const branch = branchOf(own, id);
    if (branch.length === 0) throw new ApiError('not_found');
    const { matched, refused, unchanged } = matchedUnits(
      unitsOf(branch, language),
      file,
      "The structure doesn't have this text.",
    );
    const all = refused.map(({ unit, name, message }) => ({
      id: unit?.row.id ?? null,
      path: unit ? 'name' : name.slice(0, 200),
      message,
    }));
    const changes: TranslationPlan['changes'] = [];
    for (const { unit, target } of matched) {
      const texts = textsSchema.safeParse({ name: target });
      const about = { id: unit.row.id, path: 'name' };
      if (!texts.success) {
        all.push({ ...about, message: texts.error.issues[0]!.message });
        continue;
      }
      if (apply === '1') await storeTexts(db, context, unit.row, language, texts.data);
      changes.push({ ...about, before: unit.translation?.text ?? null, after: texts.data.name! });
    }
    plan = {
      changes: changes.slice(0, MAX_PLANNED),
      refused: all.slice(0, MAX_PLANNED),
      counts: { changed: changes.length, unchanged, refused: all.length },
      seq: null,
    };
  });
  return plan!;
}
