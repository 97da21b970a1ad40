import { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import {
  type Area,
  MAX_KEYWORDS,
  type Media,
  type MediaType,
  type MediaUse,
  type MediaUses,
  translatedMediaTexts,
  wantedMediaType,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordedRows } from '../../core/changes/recorded-rows.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { everywhere, limitsOf } from '../../core/db/limited.ts';
import { headOf } from '../../core/files/checked-head.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { readJson } from '../../core/read-json.ts';
import { checkFolder } from '../folders/service.ts';
import { MEDIA_FOLDERS } from '../folders/table.ts';
import { optimizationsOf, planOptimizations } from '../media/optimizations.ts';
import {
  asMedia,
  deleteMedia,
  findMedia,
  findMediaRows,
  lockMedia,
  type MediaRow,
  textColumns,
  textsOf,
} from '../media/queries.ts';
import { cleanName, removeContents } from '../media/service.ts';
import { keepPosterImages } from '../posters/poster-files.ts';
import { putPoster, smallPosters, storedImages } from '../posters/queries.ts';
import { storeTexts, type TextOwner } from '../translations/owned-texts.ts';
import { listMedia } from './list-media.ts';
import { refuseHiddenUses, requireOwnOrDelete } from './may-change-content.ts';
import { findUses, moveUses, usesOf } from './usage.ts';

/** A file of the library. @throws ApiError not_found */
export async function findFile({ db, organizationId }: CallContext, id: number): Promise<MediaRow> {
  return orNotFound(await findMedia(db, organizationId, id));
}

/** Users who uploaded files, by id. */
export async function uploadersOf(
  { db, organizationId }: CallContext,
  rows: readonly Pick<MediaRow, 'user_id'>[],
): Promise<ReadonlyMap<number, { id: number; name: string }>> {
  const ids = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))];
  if (ids.length === 0) return new Map();
  const users = db.selectFrom('users').select(['id', 'name']).where('organization_id', '=', organizationId);
  return new Map((await users.where('id', 'in', ids).execute()).map((user) => [user.id, user]));
}

/** Files in API format, with their previews and lighter versions. */
async function shownMedia(context: CallContext, rows: readonly MediaRow[]): Promise<Media[]> {
  // Only models have turntables.
  const models = rows.filter(({ type }) => type === 'object').map(({ id }) => id);
  const drawn = await smallPosters(context.db, 'media_id', models);
  const uploaders = await uploadersOf(context, rows);
  const optimized = await optimizationsOf(
    context.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => asMedia(row, drawn.get(row.id), uploaders.get(row.user_id ?? 0), optimized.get(row.id)));
}

/** A file of the library. @throws ApiError not_found */
export async function readMedia(context: CallContext, id: number): Promise<Media> {
  const [media] = await shownMedia(context, [await findFile(context, id)]);
  return media!;
}

const filtersSchema = z.array(z.strictObject({ type: z.union([wantedMediaType, z.literal('current_user')]) })).max(20);

/** Parses list filters: base64-encoded JSON. */
function readFilters(encoded: string | undefined): z.output<typeof filtersSchema> {
  if (!encoded) return [];
  try {
    return filtersSchema.parse(readJson(Buffer.from(encoded, 'base64').toString('utf8')));
  } catch {
    throw new ApiError('bad_request', {
      filters: ['The filters must be the Base64 of a JSON list of {type} objects.'],
    });
  }
}

/** A file as lists show it: transcripts are long. */
const withoutTranscript = ({ transcript: _, translations, ...media }: Media): Media => ({
  ...media,
  translations: Object.fromEntries(
    Object.entries(translations)
      .map(([tag, { transcript: _own, ...others }]) => [tag, others] as const)
      .filter(([, others]) => Object.keys(others).length > 0),
  ),
});

/** The requested types: the intersection of the filters and the list's types, or all types of the list. */
function kindsOf(wanted: readonly MediaType[], list: readonly MediaType[] | undefined): readonly MediaType[] {
  if (!list) return wanted;
  const both = wanted.filter((type) => list.includes(type));
  return both.length > 0 ? both : list;
}

type ListQuery = z.output<typeof calls.media.images.query> & Partial<z.output<typeof calls.media.list.query>>;

/** Default page size. */
const PAGE = 30;

/**
 * A page of the media library, newest first by default.
 * @param list media types of the list; all by default
 */
export async function pageOfMedia(
  context: SignedInContext,
  { page, per_page = PAGE, ids: listed, filters: encoded, transcripts, ...query }: ListQuery,
  list?: readonly MediaType[],
): Promise<{ data: Media[]; last_page: number; total: number }> {
  const { db, organizationId, user } = context;
  const filters = readFilters(encoded).map(({ type }) => type);
  const types = kindsOf(
    filters.filter((type) => type !== 'current_user'),
    list,
  );
  const ids = listed?.split(',').map(Number);
  const size = ids?.length ?? per_page;
  const userId = filters.includes('current_user') ? user.userId : undefined;
  const filter = { ...query, types, ids, ...(userId !== undefined && { userId }) };
  const { rows, total } = await listMedia(db, organizationId, filter, { limit: size, offset: (page - 1) * size });
  const shown = await shownMedia(context, rows);
  const data = transcripts === '1' ? shown : shown.map(withoutTranscript);
  return { data, last_page: Math.max(1, Math.ceil(total / size)), total };
}

/** The area whose `view_any` right is required to see each kind of use. */
const AREA_OF_USE: Record<MediaUse['kind'], Area> = {
  room: 'rooms',
  published: 'rooms',
  template: 'templates',
  block: 'rooms',
  feed: 'settings',
  organization: 'settings',
};

/** The uses of a file that the caller may see, and the number of the others. @throws ApiError not_found */
export async function readUses(context: SignedInContext, id: number): Promise<MediaUses> {
  const { db, organizationId, user } = context;
  await findFile(context, id);
  const all = await findUses(everywhere(db), organizationId, id);
  const seen = limitsOf(db) ? await findUses(db, organizationId, id) : all;
  const uses = seen.filter(({ kind }) => user.policies[AREA_OF_USE[kind]].view_any);
  return { uses, hidden: all.length - uses.length };
}

const recorded = recordedRows('media', {
  entity: 'media',
  logged: ({ id, name, folder_id, photo: _photo, ...row }) => ({
    ...{ id, name, folder_id, translations: row.translations },
    ...textColumns(textsOf(row)),
  }),
});

type Changes = z.output<typeof calls.media.update.body>;
type ManyChanges = z.output<typeof calls.media.updateMany.body>['files'][number];

/** Keywords after adding and removing some, each once. @throws ApiError invalid if there are too many */
function keywordsAfter(before: readonly string[], { add_keywords = [], remove_keywords = [] }: ManyChanges): string[] {
  const after = [...new Set([...before, ...add_keywords])].filter((word) => !remove_keywords.includes(word));
  if (after.length > MAX_KEYWORDS)
    throw new ApiError('invalid', { add_keywords: [`A file has at most ${MAX_KEYWORDS} keywords.`] });
  return after;
}

/** Changes a file in the caller's transaction. @throws ApiError not_found, or invalid */
async function changeFile(db: Database, context: SignedInContext, { id, ...changes }: ManyChanges): Promise<void> {
  const { name, folder_id, add_keywords: _add, remove_keywords: _remove, ...texts } = changes;
  await recorded.update(db, context, id, {
    seen: undefined,
    values: (row) => {
      const keywords = keywordsAfter(texts.keywords ?? textsOf(row).keywords, { id, ...changes });
      return {
        ...textColumns({ ...texts, keywords }),
        ...(name !== undefined && { name: cleanName(name) }),
        ...(folder_id !== undefined && { folder_id }),
      };
    },
  });
}

/** Checks and locks folders, before files: removing a folder locks them in the same order. @throws ApiError invalid */
async function checkFolders(
  db: Database,
  { organizationId }: SignedInContext,
  files: readonly Pick<ManyChanges, 'folder_id'>[],
): Promise<void> {
  const ids = new Set(files.flatMap(({ folder_id }) => folder_id ?? []));
  for (const id of [...ids].sort((a, b) => a - b)) await checkFolder(db, organizationId, id, MEDIA_FOLDERS);
}

/** Changes the name, texts and folder of a file. @throws ApiError not_found, or invalid */
export async function updateFile(context: SignedInContext, id: number, changes: Changes): Promise<Media> {
  await context.db.transaction().execute(async (db) => {
    await checkFolders(db, context, [changes]);
    await changeFile(db, context, { id, ...changes });
  });
  return readMedia(context, id);
}

const TRANSLATED = Object.keys(translatedMediaTexts.shape) as (keyof typeof translatedMediaTexts.shape)[];

/** The translated texts of a file. @param row locked if they are changed */
export const fileTexts = (context: SignedInContext, row: MediaRow): TextOwner => ({
  part: 'files',
  id: row.id,
  name: row.name,
  texts: Object.fromEntries(TRANSLATED.map((name) => [name, row[name]])),
  translations: row.translations,
  store: async (db, translations) => {
    await recorded.update(db, context, row.id, { seen: undefined, values: () => ({ translations }) });
  },
});

/** Sets translations of a file's texts in a language. @throws ApiError not_found, or invalid */
export async function translateFile(
  context: SignedInContext,
  id: number,
  { language, texts }: z.output<typeof calls.media.translate.body>,
): Promise<Media> {
  await context.db.transaction().execute(async (db) => {
    const row = orNotFound(await lockMedia(db, context.organizationId, id));
    await storeTexts(db, fileTexts(context, row), language, texts);
  });
  return readMedia(context, id);
}

/** Changes many files: all of them, or none. @throws ApiError not_found, or invalid, naming the file */
export async function updateFiles(context: SignedInContext, files: readonly ManyChanges[]): Promise<Media[]> {
  const ordered = files.toSorted((a, b) => a.id - b.id);
  await context.db.transaction().execute(async (db) => {
    // Removed folders and merged files change rows in other orders, which would deadlock.
    await lockOrganization(db, context.organizationId);
    await checkFolders(db, context, ordered);
    for (const changes of ordered)
      await changeFile(db, context, changes).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'not_found')
          throw new ApiError('not_found', `File ${changes.id} not found. Nothing was changed.`);
        throw error;
      });
  });
  const ids = [...new Set(files.map(({ id }) => id))];
  const rows = await findMediaRows(context.db, context.organizationId, ids);
  return shownMedia(
    context,
    ids.flatMap((id) => rows.get(id) ?? []),
  );
}

/**
 * Removes a file from the library and from all its uses.
 * @param force whether to remove a file that is in use
 * @throws ApiError not_found, forbidden, or in_use listing its uses
 */
export async function removeFile(context: SignedInContext, id: number, force: boolean): Promise<void> {
  const { db, organizationId, user } = context;
  const { policies } = user;
  if (!policies.media.delete && !policies.media.create) throw new ApiError('forbidden');
  const row = await findFile(context, id);
  requireOwnOrDelete(context, row);
  const uses = await usesOf(db, organizationId, row.id);
  if (uses.length > 0 && !force) throw new ApiError('in_use', { error: ['This file is still in use.', ...uses] });
  const hashes = await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    await refuseHiddenUses(transaction, organizationId, row.id);
    await moveUses(transaction, context, row, null);
    return deleteMedia(transaction, row.id);
  });
  await removeContents(context, hashes);
}

/**
 * Plans lighter versions of files that have none.
 * @param ids of files; all by default
 * @throws ApiError not_found if one of them doesn't exist, not_set_up if the server makes none
 */
export async function optimizeFiles(
  { db, clock, settings, organizationId }: CallContext,
  ids: readonly number[] | undefined,
): Promise<{ planned: number }> {
  if (!settings.OPTIMIZE_MEDIA)
    throw new ApiError('not_set_up', 'Lighter versions are turned off on this server (OPTIMIZE_MEDIA).');
  if (ids) {
    const found = await findMediaRows(db, organizationId, ids);
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw new ApiError('not_found', `File ${missing} not found.`);
  }
  return { planned: await planOptimizations(db, clock, organizationId, ids) };
}

/** Limit on the bytes of a turntable: many times its usual size. */
const MAX_DRAWN = 4 * 1024 * 1024;

/**
 * Stores a browser's turntable of a model. The first one is final, until the file is replaced.
 * @param url URL of the drawn file; undefined for the current one
 * @throws ApiError not_found, too_large, wrong_type or bad_file; stale if the file has been replaced since it was drawn
 */
export async function drawTurntable(
  context: CallContext,
  id: number,
  url: string | undefined,
  file: Upload | undefined,
): Promise<Media> {
  const { db, organizationId, media, workers } = context;
  const before = await readMedia(context, id);
  if (!file) throw new ApiError('invalid', { file: ['Send an image.'] });
  if (url !== undefined && url !== before.url) throw new ApiError('stale');
  if (before.turntable_url !== null) return before;
  const arrival = await media.receive(file, { most: MAX_DRAWN, check: headOf(workers, 'image') });
  try {
    const images = await workers.run('drawTurntableImages', { source: arrival.file }, ofOrganization(organizationId));
    const kept = storedImages(await keepPosterImages(context, organizationId, images));
    await db.transaction().execute(async (locked) => {
      const row = orNotFound(await lockMedia(locked, organizationId, id));
      if (mediaUrl(row) !== before.url) throw new ApiError('stale');
      await putPoster(locked, context, { subject: 'media_id', id }, 'drawn', kept);
    });
    return readMedia(context, id);
  } finally {
    await media.discard(arrival);
  }
}
