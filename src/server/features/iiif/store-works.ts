import { Readable } from 'node:stream';
import type { IiifFile, IiifSize, IiifWork } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { readJson } from '../../core/read-json.ts';
import type { MediaRow } from '../media/queries.ts';
import { storeFile, wholeUpload } from '../media/service.ts';
import { type ImageRequest, imageRequest } from './image-request.ts';

/** Downloads at the same time. */
const AT_ONCE = 4;
/** Maximum difference of proportions that is only rounding, as a fraction. */
const TOLERANCE = 0.02;
const ENDINGS: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  mpeg: 'mp3',
  image: 'jpg',
  video: 'mp4',
  audio: 'mp3',
};
const ACCEPT = { image: 'image/*', video: 'video/*', audio: 'audio/*' } as const;

/** Errors of the organization rather than of a file: the next file fails, too. */
const FATAL = ['quota', 'unavailable', 'failed', 'forbidden'];

/** What an image service offers; null if it can't be read. */
async function infoOf({ outgoing }: SignedInContext, address: string): Promise<unknown> {
  try {
    const { body } = await outgoing.guarded.get(`${address}/info.json`, 'application/ld+json, application/json', 'url');
    return readJson(body.toString('utf8'));
  } catch (error) {
    if (error instanceof ApiError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The file to request: an image of the service, or the named file. */
async function requestOf(context: SignedInContext, work: IiifWork): Promise<ImageRequest> {
  const { service, url, size, kind } = work;
  const found = kind === 'image' && service ? imageRequest(service, await infoOf(context, service.id), size) : null;
  if (found) return found;
  if (url === '') throw new ApiError('invalid', { url: ['The image service offers no image of the whole work.'] });
  return { url, size };
}

/** File extension of a media type, such as png. */
function endingOf(type: string, kind: IiifWork['kind']): string {
  const subtype = /^(?:image|video|audio)\/(?:x-)?([a-z0-9]{2,5})\b/i.exec(type)?.[1]?.toLowerCase() ?? kind;
  return ENDINGS[subtype] ?? subtype;
}

const pixels = ({ width, height }: IiifSize) => `${width} × ${height}`;

/** How an image differs from its stated size; null if it doesn't. */
function differenceOf(row: MediaRow, work: IiifWork, size: IiifSize | null): string | null {
  if (work.kind !== 'image' || !row.width || !row.height) return null;
  const real = { width: row.width, height: row.height };
  const isOff = (stated: IiifSize | null) =>
    stated !== null && Math.abs(Math.log((real.width / real.height / stated.width) * stated.height)) > TOLERANCE;
  const isSmaller = size !== null && Math.max(real.width / size.width, size.width / real.width) > 1 + TOLERANCE;
  if (!isOff(size) && !isOff(work.size) && !isSmaller) return null;
  const stated = isOff(size) || isSmaller ? size : work.size;
  return `“${work.title || work.key}” is ${pixels(real)} pixels, not ${pixels(stated!)} as stated; its real size is used.`;
}

async function storeWork(context: SignedInContext, work: IiifWork): Promise<IiifFile> {
  const { key, kind, title, description, credit, rights, translations } = work;
  const remarks: string[] = [];
  try {
    const { url, size } = await requestOf(context, work);
    const { type, body } = await context.outgoing.guarded.get(url, ACCEPT[kind], 'url');
    const { organizationId, user } = context;
    const row = await storeFile(
      context,
      {
        ...{ organizationId, userId: user.userId, accept: kind, translations },
        name: `${title.replace(/[\\/]/g, '-').slice(0, 200) || 'canvas'}.${endingOf(type, kind)}`,
        texts: { ...(title && { title }), description, ...(credit && { credit }), ...(rights && { rights }) },
      },
      wholeUpload(Readable.from([body])),
    );
    const difference = differenceOf(row, work, size);
    if (difference) remarks.push(difference);
    return { key, file_id: row.id, remarks };
  } catch (error) {
    if (!(error instanceof ApiError) || FATAL.includes(error.code)) throw error;
    return { key, file_id: null, remarks: [`“${title || key}” is left out: ${error.message}`] };
  }
}

/**
 * Downloads the files of works into the media library, with their texts. Files that are in the library already keep their
 * own texts.
 * @throws ApiError quota
 */
export async function storeWorks(context: SignedInContext, works: readonly IiifWork[]): Promise<IiifFile[]> {
  const files: IiifFile[] = [];
  let next = 0;
  const work = async () => {
    while (next < works.length) {
      const nth = next++;
      files[nth] = await storeWork(context, works[nth]!);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return files;
}
