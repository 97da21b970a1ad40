import type { z } from 'zod';
import { calls } from '../../../contract/calls.ts';
import type { TranslationPlan } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { Download } from '../../core/http/download.ts';
import { orNotFound } from '../../core/http/found.ts';
import { findEndpoint, listFamily, type StoredEndpoint, updateEndpoint } from '../endpoints/queries.ts';
import { recordEndpoint } from '../endpoints/service.ts';
import { type ExportOptions, readFile, translatorDownload } from '../translations/files.ts';
import { asPlan, ownedUnits, planOwned, storeTexts, type TextOwner } from '../translations/owned-texts.ts';
import { lockTree } from './service.ts';

/** Validation of a structure's translated texts, by field. */
export const STRUCTURE_TEXTS = calls.endpoints.translate.body.shape.texts.shape;

/** The translated texts of a structure. @param row locked if they are changed */
export const structureTexts = (context: SignedInContext, row: StoredEndpoint): TextOwner => ({
  part: 'structures',
  id: row.id,
  texts: { name: row.name },
  translations: row.translations,
  store: async (db, translations) => {
    await updateEndpoint(db, row.id, { translations, updated_at: nextTimestamp(context.clock, row.updated_at) });
    await recordEndpoint(db, context, 'update', row, { ...row, translations });
  },
});

/** Sets translations of a structure's texts in a language. @throws ApiError not_found or invalid */
export async function translateEndpoint(
  context: SignedInContext,
  id: number,
  { language, texts }: z.output<typeof calls.endpoints.translate.body>,
): Promise<void> {
  await lockTree(context, async (db, { own }) => {
    const row = orNotFound(own.find((other) => other.id === id));
    await storeTexts(db, structureTexts(context, row), language, texts);
  });
}

/** A structure and those below it. */
const branchOf = (rows: readonly StoredEndpoint[], id: number): StoredEndpoint[] =>
  rows.filter((row) => row.id === id || row.parent_endpoint_id === id);

const fileName = (id: number): string => `structure-${id}`;

/** The texts of a structure and those below it, as a file for translators. @throws ApiError not_found */
export async function exportStructureTexts(
  context: SignedInContext,
  id: number,
  options: ExportOptions,
): Promise<Download> {
  const { db, organizationId } = context;
  const { name: title } = orNotFound(await findEndpoint(db, organizationId, id));
  const branch = branchOf(await listFamily(db, organizationId, id), id);
  const owners = branch.map((row) => structureTexts(context, row));
  const units = ownedUnits(owners, options.language);
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
    const owners = branch.map((row) => structureTexts(context, row));
    const unknown = "The structure doesn't have this text.";
    const planned = planOwned(owners, file.units, { language, unknown, schemasOf: () => STRUCTURE_TEXTS });
    if (apply === '1') for (const [owner, texts] of planned.texts) await storeTexts(db, owner, language, texts);
    plan = asPlan(planned, null);
  });
  return plan!;
}
