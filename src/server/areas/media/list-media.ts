import { z } from 'zod';
import { type Media, type MediaType, wantedMediaType } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { readJson } from '../../base/read-json.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { listMedia } from '../../store/media/media-repository.ts';
import { withTurntables } from './read-media.ts';

/** Files on a page of the library. */
const PAGE = 30;

const filtersSchema = z.array(z.strictObject({ type: z.union([wantedMediaType, z.literal('current_user')]) })).max(20);

/** Reads the filters of a list: base64 of a JSON list. */
function readFilters(encoded: string | undefined): z.output<typeof filtersSchema> {
  if (!encoded) return [];
  try {
    return filtersSchema.parse(readJson(Buffer.from(encoded, 'base64').toString('utf8')));
  } catch {
    throw new ApiError('bad_request', { filters: ['The filters are not base64 of a JSON list of {type}.'] });
  }
}

/** The kinds that are wanted: those of the filters within those of the list, or all of the list. */
function kindsOf(wanted: readonly MediaType[], list: readonly MediaType[] | undefined): readonly MediaType[] {
  if (!list) return wanted;
  const both = wanted.filter((type) => list.includes(type));
  return both.length > 0 ? both : list;
}

/**
 * A page of the media library, newest first.
 * @param list kinds of which the list is; all where none are given
 */
export async function pageOfMedia(
  context: SignedInContext,
  query: { search?: string; page: number; ids?: string; filters?: string },
  list?: readonly MediaType[],
): Promise<{ data: Media[]; last_page: number }> {
  const { db, organizationId, user } = context;
  const filters = readFilters(query.filters).map(({ type }) => type);
  const types = kindsOf(
    filters.filter((type) => type !== 'current_user'),
    list,
  );
  const ids = query.ids?.split(',').map(Number);
  const size = ids?.length ?? PAGE;
  const userId = filters.includes('current_user') ? user.userId : undefined;
  const filter = { types, ids, search: query.search, ...(userId !== undefined && { userId }) };
  const { rows, total } = await listMedia(db, organizationId, filter, { limit: size, offset: (query.page - 1) * size });
  return { data: await withTurntables(context, rows), last_page: Math.max(1, Math.ceil(total / size)) };
}
