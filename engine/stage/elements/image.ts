import {
  BoxGeometry,
  Color,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  type Texture,
} from 'three';
import { IMAGE_SIDE } from '../../document/constants.ts';
import type { ElementOf } from '../../document/element.ts';
import { smallCopy } from '../../document/small-copy.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing } from '../context.ts';
import { freeObject } from '../resources/free.ts';
import { withCleanup } from '../resources/with-cleanup.ts';
import type { Caption, CaptionLine } from './parts/caption.ts';

/**
 * Width and height of a picture in units: a side that is not set follows the picture's ratio, 200 where neither is.
 * @param picture width and height in pixels
 */
export function imageSize(
  element: { width: number | null; height: number | null },
  picture: { width: number; height: number },
): { width: number; height: number } {
  const ratio = picture.width / picture.height;
  if (element.width !== null && element.height !== null) return { width: element.width, height: element.height };
  if (element.width !== null) return { width: element.width, height: element.width / ratio };
  const height = element.height ?? IMAGE_SIDE;
  return { width: height * ratio, height };
}

function materialFor(map: Texture, ignoreLight: boolean, url: string): Material {
  const settings = {
    map,
    transparent: true,
    alphaTest: 0.01,
    // A format without transparency.
    userData: { covers: /\.jpe?g$/i.test(url) },
  };
  return ignoreLight
    ? new MeshBasicMaterial({ ...settings, toneMapped: false })
    : new MeshStandardMaterial({ ...settings, roughness: 0.9, envMapIntensity: 0, color: new Color(1, 1, 1) });
}

/** Color of the sides and back of a picture that has a depth. */
const BODY = '#2A2622';

/** The body behind a picture that has a depth, like a canvas on its stretcher. */
function imageMesh(width: number, height: number, depth: number): Mesh {
  const body = new Mesh(
    new BoxGeometry(width, height, depth),
    new MeshStandardMaterial({ color: BODY, roughness: 0.8 }),
  );
  body.castShadow = true;
  return body;
}

/** Space between a picture and its caption, and size of author and date, in sizes of the title. */
const GAP = 0.75;
const SMALLER = 0.7;

/** Characters of its text that stand beside a picture; the slider and the page as text show all of it. */
const TEXT_LENGTH = 400;

/** The beginning of a text, cut between words. */
function shorten(text: string): string {
  if (text.length <= TEXT_LENGTH) return text;
  const beginning = text.slice(0, TEXT_LENGTH);
  return `${beginning.slice(0, Math.max(beginning.lastIndexOf(' '), TEXT_LENGTH / 2)).trimEnd()}…`;
}

function captionLines({ title, title_size: size, text, author, date }: ElementOf<'image'>['config']): CaptionLine[] {
  const smaller = { size: size * SMALLER, weight: 400, strength: 0.8 } as const;
  const lines: CaptionLine[] = [
    { text: title, size, weight: 600, strength: 1 },
    { text: author, ...smaller },
    { text: date, ...smaller },
    ...shorten(text.trim())
      .split('\n')
      .map((paragraph) => ({ text: paragraph.trim(), ...smaller })),
  ];
  return lines.filter((line) => line.text !== '');
}

/** Title, author, date and text beside a picture, from its upper edge down; undefined where there are none. */
async function captionOf(
  { config, ignore_light }: ElementOf<'image'>,
  picture: { width: number; height: number },
): Promise<Caption | undefined> {
  const lines = captionLines(config);
  if (lines.length === 0) return undefined;
  const { drawCaption } = await import('./parts/caption.ts');
  const { title_alignment: side, title_color: color, title_size } = config;
  const align = side === 'left' ? 'right' : 'left';
  const caption = await drawCaption(lines, { align, color, ignoreLight: ignore_light });
  const away = picture.width / 2 + title_size * GAP + caption.width / 2;
  caption.mesh.position.set(side === 'left' ? -away : away, (picture.height - caption.height) / 2, 0);
  return caption;
}

/** A picture on a plane, seen from its front; with a depth it stands off the wall by it. */
export const draw: ElementDrawing<ElementOf<'image'>> = async (context, element) => {
  const url = sourceOf(element);
  if (!url) throw new Error('The image has no file.');
  const small = smallCopy(url, element.file);
  const maxSize = context.renderer.capabilities.maxTextureSize;
  const texture = await context.resources.texture(url, { maxSize, small });
  const { width: across, height: down } = element.file ?? {};
  // A small copy's sides are rounded.
  const sides = small && across && down ? { width: across, height: down } : (texture.image as ImageBitmap);
  const { width, height } = imageSize(element, sides);
  // Equal pictures share what draws them. They are no instances of one mesh: each has a place of its own among what can
  // be seen through, and is pressed by itself.
  const plane = `plane ${width} ${height}`;
  const surface = `picture ${element.ignore_light} ${url}`;
  const picture = new Mesh(
    context.resources.share(plane, () => new PlaneGeometry(width, height)),
    context.resources.share(surface, () => materialFor(texture, element.ignore_light, url)),
  );
  picture.castShadow = true;
  picture.receiveShadow = !element.ignore_light;
  const body = element.depth ? imageMesh(width, height, element.depth) : undefined;
  if (body && element.depth) {
    picture.position.z = element.depth / 2 + 0.2;
  }
  const free = () => {
    if (body) freeObject(body);
    context.resources.unshare(plane);
    context.resources.unshare(surface);
    context.resources.release(url);
  };
  const caption = await withCleanup(captionOf(element, { width, height }), free);
  if (caption) caption.mesh.position.z = picture.position.z;
  const parts = [picture, body ?? [], caption?.mesh ?? []].flat();
  return {
    // Thousands of images are half as many objects without a group around each.
    object: parts.length === 1 ? picture : new Group().add(...parts),
    dispose: () => {
      caption?.dispose();
      free();
    },
  };
};
