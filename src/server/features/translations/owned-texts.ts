import type { z } from 'zod';
import { labelOf } from '../../../../engine/document/field-labels.ts';
import { parseTranslations, type TextsByField } from '../../../../engine/document/text-translations.ts';
import { stateOf } from '../../../../engine/document/translation-state.ts';
import { MAX_PLANNED, type TranslationPart, type TranslationPlan } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import type { TranslatedUnit } from '../../core/files/inspect/translations/read-translations.ts';
import { matchedUnits } from './files.ts';
import { translationsWith } from './text-columns.ts';
import type { Unit } from './write-translations.ts';

/** Kinds of things with translated texts besides spaces, as they begin the names of their texts in files. */
const OWNERS = {
  structures: { prefix: 'structure', label: 'Structure' },
  template: { prefix: 'template', label: 'Template' },
  files: { prefix: 'file', label: 'File' },
} as const satisfies Record<TranslationPart, { prefix: string; label: string }>;

/** A structure, template or file with its texts. */
export interface TextOwner {
  part: TranslationPart;
  id: number;
  /** Its name for translators; undefined if its texts say it. */
  name?: string;
  /** Current texts by field. */
  texts: TextsByField;
  /** Its translations as stored. */
  translations: string;
  /** Stores its translations in the caller's transaction, and records the change. */
  store(db: Database, translations: string): Promise<void>;
}

/**
 * Sets translations of the texts of a locked structure, template or file.
 * @throws ApiError invalid over the limit of languages
 */
export async function storeTexts(db: Database, owner: TextOwner, language: string, texts: TextsByField): Promise<void> {
  const translations = translationsWith(owner.translations, language, texts, owner.texts);
  if (translations !== owner.translations) await owner.store(db, translations);
}

interface OwnedUnit extends Unit {
  owner: TextOwner;
  field: string;
}

/** The texts of structures, templates and files with their translations into a language. */
export const ownedUnits = (owners: readonly TextOwner[], language: string): OwnedUnit[] =>
  owners.flatMap((owner) => {
    const { prefix, label } = OWNERS[owner.part];
    const own = parseTranslations(owner.translations)[language];
    const what = owner.name === undefined ? label : `${label} “${owner.name}”`;
    return Object.entries(owner.texts).flatMap(([field, text = '']): OwnedUnit[] => {
      if (text.trim() === '') return [];
      const translation = own?.[field];
      const name = `${prefix}-${owner.id}.${field}`;
      // A structure's name is shown as its title.
      const note = `${what}: ${owner.part === 'structures' ? 'Title' : labelOf(`config.${field}`)}`;
      return [{ owner, field, name, kind: 'plain', text, translation, state: stateOf(translation, text), note }];
    });
  });

/** The part that a text in a file belongs to; undefined for a text of the space itself. */
export const partOfName = (name: string): TranslationPart | undefined =>
  (Object.keys(OWNERS) as TranslationPart[]).find((part) => name.startsWith(`${OWNERS[part].prefix}-`));

/** What a file of translations changes. */
export interface PlannedTexts {
  changes: TranslationPlan['changes'];
  refused: TranslationPlan['refused'];
  unchanged: number;
}

/** A plan as in API responses. @param seq sequence number of its change of a space; null for none */
export const asPlan = ({ changes, refused, unchanged }: PlannedTexts, seq: number | null): TranslationPlan => ({
  changes: changes.slice(0, MAX_PLANNED),
  refused: refused.slice(0, MAX_PLANNED),
  counts: { changed: changes.length, unchanged, refused: refused.length },
  seq,
});

/** Fields of a kind of thing: validates a translated text. */
export type TextSchemas = Readonly<Record<string, z.ZodType<string | undefined>>>;

/**
 * Compares a file of translations with the texts of structures, templates and files.
 * @param schemasOf validation of translations, by field
 * @param refusalOf why the texts of a kind can't be changed; undefined if they can
 * @returns the plan, and the new texts of each thing
 */
export function planOwned(
  owners: readonly TextOwner[],
  units: readonly TranslatedUnit[],
  {
    language,
    unknown,
    schemasOf,
    refusalOf,
  }: {
    language: string;
    unknown: string;
    schemasOf(part: TranslationPart): TextSchemas;
    refusalOf?(part: TranslationPart): string | undefined;
  },
): PlannedTexts & { texts: Map<TextOwner, Record<string, string>> } {
  const { matched, refused, unchanged } = matchedUnits(ownedUnits(owners, language), units, unknown);
  const place = ({ owner: { part, id }, field: path }: OwnedUnit) => ({ part, id, path });
  const plan: PlannedTexts = {
    changes: [],
    unchanged,
    refused: refused.map(({ unit, name, message }) => ({
      ...(unit ? place(unit) : { id: null, path: name.slice(0, 200) }),
      message,
    })),
  };
  const texts = new Map<TextOwner, Record<string, string>>();
  for (const { unit, target } of matched) {
    const { owner, field, translation } = unit;
    const read = schemasOf(owner.part)[field]!.safeParse(target);
    const message = refusalOf?.(owner.part) ?? read.error?.issues[0]?.message;
    if (message !== undefined) {
      plan.refused.push({ ...place(unit), message });
      continue;
    }
    plan.changes.push({ ...place(unit), before: translation?.text ?? null, after: read.data! });
    texts.set(owner, { ...texts.get(owner), [field]: read.data! });
  }
  return { ...plan, texts };
}
