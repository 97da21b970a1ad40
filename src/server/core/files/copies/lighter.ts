import {
  COPY_WIDTHS,
  LIGHT_ENVIRONMENT,
  LIGHT_MODEL,
  MIN_WIDTH_RATIO,
} from '../../../../../engine/document/small-copy.ts';
import { copyName } from './kept-names.ts';

/** Folder of lighter versions in a content's folder. No public URL contains a name with a leading dot. */
export const LIGHTER = '.lighter';

/** Formats of lighter versions, best first; those of audio, videos and environments keep their format. */
export type LighterFormat = 'avif' | 'webp' | 'glb' | 'mp4' | 'm4a' | 'hdr' | 'exr';

/**
 * Path of a lighter version in its content's folder.
 * @param entry path of the file
 * @param copy width in pixels of a smaller copy of an image; level of detail of a model
 */
export const lighterPath = (entry: string, format: LighterFormat, copy?: number): string =>
  `${LIGHTER}/${copyName(entry)}${copy === undefined ? '' : `-${copy}`}.${format}`;

/** Names of files that may have lighter versions. */
const IMAGE = /\.(?:jpe?g|png|webp)$/i;
const MODEL = /\.(?:glb|gltf)$/i;
const PLAYED = /\.(mp4|m4a)$/i;
const ENVIRONMENT = /\.(hdr|exr)$/i;

/** Whether a file, or a copy of it in a certain width, may have lighter versions. Files of uploaded pages never do. */
export const mayBeLighter = (entry: string, width?: number): boolean =>
  !entry.startsWith('site/') &&
  (IMAGE.test(entry)
    ? width === undefined || COPY_WIDTHS.some((each) => each === width)
    : width === undefined && [MODEL, PLAYED, ENVIRONMENT].some((kind) => kind.test(entry)));

/** The format of an environment; undefined for other files. */
export const environmentFormat = (entry: string): 'hdr' | 'exr' | undefined =>
  ENVIRONMENT.exec(entry)?.[1]?.toLowerCase() as 'hdr' | 'exr' | undefined;

/** Whether a file is a model, which may have levels of detail. */
export const mayHaveLevels = (entry: string): boolean => !entry.startsWith('site/') && MODEL.test(entry);

/** The format of an audio or video file whose index may be moved to its start; undefined for others. */
export const playedFormat = (entry: string): 'mp4' | 'm4a' | undefined =>
  PLAYED.exec(entry)?.[1]?.toLowerCase() as 'mp4' | 'm4a' | undefined;

/** Whether the lighter versions of a file are for clients that accept their format: its responses depend on `Accept`. */
export const isNegotiated = (entry: string): boolean => !PLAYED.test(entry);

/** Widths in pixels of the copies that are made lighter: those that rooms load. */
export const lighterWidths = (width: number): number[] => COPY_WIDTHS.filter((copy) => copy * MIN_WIDTH_RATIO <= width);

/** MIME types of lighter versions. */
export const LIGHTER_TYPES: Readonly<Record<LighterFormat, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  glb: 'model/gltf-binary',
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  hdr: 'image/vnd.radiance',
  exr: 'image/x-exr',
};

const accepts = (accept: string, type: string): boolean =>
  accept.split(',').some((range) => {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return name === type && !parameters.some((each) => /^q=0(?:\.0{0,3})?$/.test(each));
  });

/** Formats of a file's lighter versions that a client accepts by name or in any case, best first. */
export const acceptedFormats = (entry: string, accept = ''): LighterFormat[] => {
  const played = playedFormat(entry);
  if (played) return [played];
  const environment = environmentFormat(entry);
  if (environment) return accepts(accept, LIGHT_ENVIRONMENT) ? [environment] : [];
  if (MODEL.test(entry)) return accepts(accept, LIGHT_MODEL) ? ['glb'] : [];
  return (['avif', 'webp'] as const).filter((format) => accepts(accept, LIGHTER_TYPES[format]));
};
