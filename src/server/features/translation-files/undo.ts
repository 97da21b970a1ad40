import { isRecord, isSame } from '../../../../engine/document/field-paths.ts';
import { type Change, isTranslationChange, type TranslationPart } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { StoredChange } from '../../core/changes/change-log.ts';
import type { Database } from '../../core/db/database.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { lockMedia } from '../media/queries.ts';
import { fileTexts } from '../media-library/service.ts';
import { structureTexts } from '../structures/translate.ts';
import { lockTemplate } from '../templates/queries.ts';
import type { TextOwner } from '../translations/owned-texts.ts';
import { panoramaTexts, requirePart } from './parts.ts';

type Fields = Record<string, unknown>;

/** A stored change of translations, with its fields. */
const parsed = ({
  entity,
  action,
  before,
  after,
}: StoredChange): Pick<Change, 'action' | 'entity' | 'before' | 'after'> => ({
  entity: entity as Change['entity'],
  action: action as Change['action'],
  before: before === null ? null : JSON.parse(before),
  after: after === null ? null : JSON.parse(after),
});

/** Whether a change log entry is about translations of a structure, file or template only. */
export const isTranslationEntry = (change: StoredChange): boolean => isTranslationChange(parsed(change));

/** Values with a change undone; undefined if one of them has changed since. */
function undone(current: Fields, before: Fields, after: Fields): Fields | undefined {
  const result = { ...current };
  for (const [name, is] of Object.entries(after)) {
    const [now, was] = [current[name] ?? null, before[name] ?? null];
    const inner =
      isRecord(now) && isRecord(was) && isRecord(is) ? undone(now, was, is) : isSame(now, is) ? was : undefined;
    if (inner === undefined) return undefined;
    if (inner === null) delete result[name];
    else result[name] = inner;
  }
  return result;
}

const FINDERS: Record<string, (db: Database, context: SignedInContext, id: number) => Promise<TextOwner | undefined>> =
  {
    endpoint: async (db, context, id) => {
      const row = await findEndpoint(db, context.organizationId, id);
      return row && structureTexts(context, row);
    },
    media: async (db, context, id) => {
      const row = await lockMedia(db, context.organizationId, id);
      return row && fileTexts(context, row);
    },
    template: async (db, context, id) => {
      const row = await lockTemplate(db, context.organizationId, id);
      return row && panoramaTexts(context, row);
    },
  };

const PART_OF: Record<string, TranslationPart> = { endpoint: 'structures', media: 'files', template: 'template' };

/**
 * Undoes a change of translations, with those of other things in the same import. The organization is locked.
 * @throws ApiError forbidden; not_found; stale if a translation has changed since
 */
export async function undoTranslations(db: Database, context: SignedInContext, entry: StoredChange): Promise<void> {
  const own = db.selectFrom('changes').selectAll().where('organization_id', '=', context.organizationId);
  const entries = entry.batch === null ? [entry] : await own.where('batch', '=', entry.batch).orderBy('id').execute();
  for (const { entity_id, ...change } of entries.filter(isTranslationEntry)) {
    requirePart(context, PART_OF[change.entity]!);
    const owner = await FINDERS[change.entity]!(db, context, entity_id);
    if (!owner) throw new ApiError('not_found');
    const { before, after } = parsed({ ...change, entity_id });
    const fieldsOf = (fields: Fields | null) =>
      ((change.entity === 'template' ? (fields?.config as Fields) : fields)?.translations ?? {}) as Fields;
    const translations = undone(JSON.parse(owner.translations), fieldsOf(before), fieldsOf(after));
    if (!translations) throw new ApiError('stale', `The translations of “${change.name}” have been changed since.`);
    await owner.store(db, JSON.stringify(translations));
  }
}
