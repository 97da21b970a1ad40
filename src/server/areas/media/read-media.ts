import type { Media } from '../../../contract/entities.ts';
import type { CallContext } from '../../store/call-context.ts';
import { asMedia, type MediaRow } from '../../store/media/media-row.ts';
import { smallPosters } from '../../store/posters/posters-repository.ts';
import { findFile } from './find-file.ts';

/** Files as the calls give them, each with what was drawn of it. */
export async function withTurntables({ db }: CallContext, rows: readonly MediaRow[]): Promise<Media[]> {
  // Only models are drawn.
  const models = rows.filter(({ type }) => type === 'object').map(({ id }) => id);
  const drawn = await smallPosters(db, 'media_id', models);
  return rows.map((row) => asMedia(row, drawn.get(row.id)));
}

/** A file of the library. @throws ApiError not_found */
export async function readMedia(context: CallContext, id: number): Promise<Media> {
  const [media] = await withTurntables(context, [await findFile(context, id)]);
  return media!;
}
