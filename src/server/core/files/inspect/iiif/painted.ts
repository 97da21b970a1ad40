import type { IiifSize, IiifWork } from '../../../../../contract/entities.ts';
import { type Json, listOf, numberOf, recordOf, textOf } from '../tours/values.ts';

/** Content of a canvas. */
export type Painted = Pick<IiifWork, 'kind' | 'url' | 'service' | 'size'>;

/** Longest URL. */
const MAX_URL = 2048;

export const idOf = (resource: Json): string => textOf(resource.id) || textOf(resource['@id']);
export const typeOf = (resource: Json): string => textOf(resource.type) || textOf(resource['@type']);

/** An absolute web address; empty for anything else. @param base address of the document that names it */
export function addressOf(text: string, base: string): string {
  const url = text === '' ? null : URL.parse(text, base === '' ? undefined : base);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL;
  return isWeb ? url.href : '';
}

/** Some values as a list. */
export const listed = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

function sizeOf({ width, height }: Json): IiifSize | null {
  const [across, up] = [numberOf(width), numberOf(height)];
  return across && up && across > 0 && up > 0 ? { width: across, height: up } : null;
}

const KINDS: Readonly<Record<string, IiifWork['kind']>> = {
  Image: 'image',
  'dctypes:Image': 'image',
  Video: 'video',
  'dctypes:MovingImage': 'video',
  Sound: 'audio',
  Audio: 'audio',
  'dctypes:Sound': 'audio',
};

/** The image service of a resource: Image API 2 or 3. */
function serviceOf(resource: Json, base: string): IiifWork['service'] {
  for (const one of listed(resource.service).map(recordOf)) {
    const type = typeOf(one);
    const profile = [...listed(one.profile), one['@context']].map(textOf).join(' ');
    const version = type === 'ImageService3' ? 3 : type === 'ImageService2' || /\/image\/2\b/.test(profile) ? 2 : null;
    const id = addressOf(idOf(one), base).replace(/\/$/, '');
    if (version !== null && id !== '') return { id, version };
  }
  return null;
}

/** A canvas, its title, and what notes its problems. */
export interface CanvasToRead {
  canvas: Json;
  title: string;
  note(sentence: string): void;
}

/** The resources that a canvas shows: the targets of annotations that paint it, choices reduced to their first one. */
function bodiesOf({ canvas, title, note }: CanvasToRead): Json[] {
  const pages = listOf(canvas.items).map(recordOf);
  if (pages.some(({ items }) => items === undefined)) note(`Part of “${title}” is in another file; left out.`);
  const annotations = pages.flatMap(({ items }) => listOf(items)).map(recordOf);
  const painting = annotations.filter(({ motivation }) =>
    listed(motivation).some((each) => textOf(each).replace(/^sc:/, '') === 'painting'),
  );
  return painting.flatMap(({ body }) =>
    listed(body)
      .slice(0, 1)
      .flatMap((first): Json[] => {
        let resource = recordOf(first);
        if (/Choice$/.test(typeOf(resource))) {
          const items = listOf(resource.items);
          if (items.length > 1) note(`“${title}” offers ${items.length} choices; the first one is used.`);
          resource = recordOf(items[0]);
        }
        if (!/SpecificResource$/.test(typeOf(resource))) return [resource];
        if (resource.selector !== undefined) note(`“${title}” shows a part of an image; the whole image is used.`);
        const source = typeof resource.source === 'string' ? { id: resource.source, type: 'Image' } : resource.source;
        return [recordOf(source)];
      }),
  );
}

/**
 * Content of a canvas: its largest image, otherwise its video or audio.
 * @param base address of the manifest
 * @returns null if it shows nothing that can be imported, with a note
 */
export function paintedOn(read: CanvasToRead, base: string): Painted | null {
  const { canvas, title, note } = read;
  const found = bodiesOf(read).flatMap((body): Painted[] => {
    const service = serviceOf(body, base);
    const kind = KINDS[typeOf(body)] ?? (service ? 'image' : undefined);
    const url = addressOf(idOf(body), base);
    return kind === undefined || (url === '' && service === null) ? [] : [{ kind, url, service, size: sizeOf(body) }];
  });
  const area = ({ size }: Painted) => (size ? size.width * size.height : 0);
  const images = found.filter(({ kind }) => kind === 'image').toSorted((a, b) => area(b) - area(a));
  const [first] = images.length > 0 ? images : found;
  if (!first) {
    const isScene = typeOf(canvas) === 'Scene';
    note(isScene ? `“${title}” is a 3D scene; left out.` : `“${title}” shows no image, video or audio; left out.`);
    return null;
  }
  if (found.length > 1) note(`“${title}” shows ${found.length} files; one of them is used.`);
  return first;
}
