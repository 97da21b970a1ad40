import { ApiError } from '../../../contract/errors.ts';
import { offsetOf, pageMeta } from '../../core/db/paging.ts';
import { drawPoster, measureFilm, POSTER } from '../../core/files/decoders/poster.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { VideoModule, VideoProvider } from '../../providers/videos/provider.ts';
import { findMedia, type MediaRow, updateMedia } from '../media/queries.ts';
import { storeFile } from '../media/service.ts';
import { listMedia } from '../media-library/list-media.ts';

/** Width of the thumbnail, one of the generated sizes. */
const SMALL = 400;

function localModuleOf(row: MediaRow): VideoModule {
  const { has_poster } = JSON.parse(row.details) as { has_poster?: boolean };
  const poster = has_poster ? mediaUrl({ hash: row.hash, entry: POSTER }) : '';
  return {
    id: String(row.id),
    type: 'local',
    name: row.name,
    thumb: poster && `${poster}?width=${SMALL}`,
    thumb_large: poster,
    playable: true,
    source_files: [{ link: mediaUrl(row), name: 'Original' }],
    text_tracks: [],
    default_text_track: '',
  };
}

/** Videos of the media library. */
export function readLocalVideos(context: SignedInContext): VideoProvider {
  const { db, organizationId, media, user } = context;

  const read = async (id: string): Promise<VideoModule> => {
    if (!/^[1-9]\d{0,14}$/.test(id)) throw new ApiError('not_found');
    const row = await findMedia(db, organizationId, Number(id));
    if (row?.type !== 'video') throw new ApiError('not_found');
    return localModuleOf(row);
  };

  /** Adds the thumbnail, and the duration if the file doesn't contain it. */
  const complete = async (row: MediaRow): Promise<void> => {
    const folder = media.folderOf(row.hash);
    const has_poster = await drawPoster(folder, row.entry);
    if (has_poster) await media.share(row.hash, POSTER);
    const duration = row.duration ?? (await measureFilm(folder, row.entry));
    const details = JSON.stringify({ ...JSON.parse(row.details), ...(has_poster && { has_poster }) });
    await updateMedia(db, row.id, { duration, details });
  };

  return {
    search: async ({ query, page, per_page }) => {
      const place = { limit: per_page, offset: offsetOf({ page, per_page }) };
      const { rows, total } = await listMedia(db, organizationId, { types: ['video'], search: query }, place);
      return { data: rows.map(localModuleOf), last_page: pageMeta(total, { page, per_page }).last_page };
    },
    read,
    upload: async (file) => {
      const owner = { organizationId, userId: user.userId, name: file.name, accept: 'video' } as const;
      const row = await storeFile(context, owner, file);
      await complete(row);
      return read(String(row.id));
    },
  };
}
