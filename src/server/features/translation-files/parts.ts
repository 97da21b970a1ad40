import { type Template, templateTexts } from '../../../../engine/document/template.ts';
import { parseTranslations } from '../../../../engine/document/text-translations.ts';
import {
  type Area,
  type Right,
  TRANSLATION_PARTS,
  type TranslationPart,
  translatedMediaTexts,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { listEndpointsOf } from '../endpoints/queries.ts';
import { findMediaRows, lockMediaRows } from '../media/queries.ts';
import { fileTexts } from '../media-library/service.ts';
import type { StoredRoom } from '../rooms/queries.ts';
import { STRUCTURE_TEXTS, structureTexts } from '../structures/translate.ts';
import { findTemplate, lockTemplate, type TemplateRow, templateFileIds } from '../templates/queries.ts';
import { updateTemplateIn } from '../templates/service.ts';
import type { TextOwner, TextSchemas } from '../translations/owned-texts.ts';
import { requireRight } from '../users/rights.ts';

/** Rights, and validation of translated texts, by part. */
const PARTS: Record<TranslationPart, { area: Area; right: Right; schemas: TextSchemas }> = {
  structures: { area: 'endpoints', right: 'update', schemas: STRUCTURE_TEXTS },
  template: { area: 'templates', right: 'update', schemas: templateTexts },
  files: { area: 'media', right: 'create', schemas: translatedMediaTexts.shape },
};

/** Validation of the translated texts of a part, by field. */
export const schemasOf = (part: TranslationPart): TextSchemas => PARTS[part].schemas;

/** Requires the rights to change the texts of a part. @throws ApiError forbidden */
export const requirePart = (context: SignedInContext, part: TranslationPart): void =>
  requireRight(context, PARTS[part].area, PARTS[part].right);

/** Why the caller may not change the texts of a part; undefined if they may. */
export function refusalOf(context: SignedInContext, part: TranslationPart): string | undefined {
  try {
    requirePart(context, part);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}

/** The parts among these that the caller may see. */
export const seenParts = ({ user }: SignedInContext, wanted: readonly (string | undefined)[]): TranslationPart[] =>
  TRANSLATION_PARTS.filter((part) => wanted.includes(part) && user.policies[PARTS[part].area].view_any);

export function panoramaTexts(context: SignedInContext, row: TemplateRow): TextOwner {
  const { alt, long_description, translations = {} } = JSON.parse(row.config) as Template['config'];
  return {
    part: 'template',
    id: row.id,
    name: row.name,
    texts: { alt, long_description },
    translations: JSON.stringify(translations),
    store: (db, after) => {
      // A null removes a language.
      const none = Object.fromEntries(Object.keys(translations).map((tag) => [tag, null]));
      const edit = { config: { translations: { ...none, ...parseTranslations(after) } } };
      return updateTemplateIn(db, context, row.id, edit as Parameters<typeof updateTemplateIn>[3]);
    },
  };
}

/** A space with the files of its elements. */
export interface Space extends Pick<StoredRoom, 'id' | 'template_id'> {
  fileIds: readonly (number | null)[];
}

/**
 * The texts of what belongs to a space.
 * @param isLocked whether the rows are locked until the transaction ends; `lockOrganization` locks the structures
 */
export async function ownersOf(
  db: Database,
  context: SignedInContext,
  { id, template_id, fileIds }: Space,
  { parts, isLocked = false }: { parts: readonly TranslationPart[]; isLocked?: boolean },
): Promise<TextOwner[]> {
  const { organizationId } = context;
  const owners: TextOwner[] = [];
  if (parts.includes('structures'))
    for (const row of await listEndpointsOf(db, organizationId, id)) owners.push(structureTexts(context, row));
  const find = isLocked && parts.includes('template') ? lockTemplate : findTemplate;
  const template = template_id === null ? undefined : await find(db, organizationId, template_id);
  if (template && parts.includes('template')) owners.push(panoramaTexts(context, template));
  if (parts.includes('files')) {
    const all = [...fileIds, ...(template ? templateFileIds(template) : [])];
    const ids = [...new Set(all.filter((file) => file !== null))];
    const rows = isLocked
      ? await lockMediaRows(db, organizationId, ids)
      : [...(await findMediaRows(db, organizationId, ids)).values()].toSorted((a, b) => a.id - b.id);
    for (const row of rows) owners.push(fileTexts(context, row));
  }
  return owners;
}
