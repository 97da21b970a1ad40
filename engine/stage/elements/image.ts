import {
  BoxGeometry,
  Color,
  Group,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type PerspectiveCamera,
  PlaneGeometry,
  type Texture,
  Vector3,
} from 'three';
import type { ElementOf } from '../../document/element.ts';
import { imageSize } from '../../document/image-size.ts';
import { type ImageSize, imageSizes } from '../../document/small-copy.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { freeObject } from '../resources/free.ts';
import { withCleanup } from '../resources/with-cleanup.ts';
import type { Caption, CaptionLine } from './parts/caption.ts';

/** Maximum magnification of an image before a larger size is loaded. */
const MAX_MAGNIFICATION = 1.3;
/** Maximum ratio of image width to displayed width before a smaller size is loaded. */
const MAX_REDUCTION = 2;
/** Minimum viewing distance in units considered: closer up, single pixels fill the screen. */
const MIN_DISTANCE = 10;

const inverse = new Matrix4();
const eye = new Vector3();
const nearest = new Vector3();

/**
 * Maximum displayed width of an image in pixels from the camera's position, in any direction: visitors turn faster than
 * images load.
 * @param world matrix of the image, which is centered at the origin in the xy plane
 * @param sides of the image in local units
 * @param pixels height of the canvas
 */
function seenWidth(
  camera: PerspectiveCamera,
  world: Matrix4,
  sides: { width: number; height: number },
  pixels: number,
): number {
  camera.getWorldPosition(eye);
  nearest.copy(eye).applyMatrix4(inverse.copy(world).invert());
  nearest.x = Math.min(Math.max(nearest.x, -sides.width / 2), sides.width / 2);
  nearest.y = Math.min(Math.max(nearest.y, -sides.height / 2), sides.height / 2);
  nearest.z = 0;
  const distance = Math.max(eye.distanceTo(nearest.applyMatrix4(world)), MIN_DISTANCE);
  const width = nearest.setFromMatrixColumn(world, 0).length() * sides.width;
  const perUnit = pixels / (2 * Math.tan((camera.getEffectiveFOV() * Math.PI) / 360) * distance);
  return width * perUnit;
}

/**
 * Index of the image size to load.
 * @param sizes smallest first
 * @param seen displayed width in pixels
 * @param current index of the loaded size, kept unless another one is clearly better
 */
function sizeFor(sizes: readonly ImageSize[], seen: number, current?: number): number {
  const enough = (width: number) => {
    const index = sizes.findIndex((size) => size.width * MAX_MAGNIFICATION >= width);
    return index < 0 ? sizes.length - 1 : index;
  };
  const wanted = enough(seen);
  if (current === undefined || wanted >= current) return wanted;
  return Math.min(enough(seen * MAX_REDUCTION), current);
}

function materialFor(map: Texture, ignoreLight: boolean, url: string): Material {
  const settings = {
    map,
    transparent: true,
    alphaTest: 0.01,
    // JPEG has no alpha channel.
    userData: { covers: /\.jpe?g$/i.test(url) },
  };
  return ignoreLight
    ? new MeshBasicMaterial({ ...settings, toneMapped: false })
    : new MeshStandardMaterial({ ...settings, roughness: 0.9, envMapIntensity: 0, color: new Color(1, 1, 1) });
}

/** Color of the sides and back of an image with depth. */
const BODY = '#2A2622';

/** The body of an image with depth, like a canvas on a stretcher. */
function imageMesh(width: number, height: number, depth: number): Mesh {
  const body = new Mesh(
    new BoxGeometry(width, height, depth),
    new MeshStandardMaterial({ color: BODY, roughness: 0.8 }),
  );
  body.castShadow = true;
  return body;
}

/** Gap between an image and its caption, and font size of author and date, relative to the title size. */
const CAPTION_GAP = 0.75;
const SMALL_TEXT = 0.7;

/** Maximum number of characters shown next to an image; the slider and the text version show the full text. */
const MAX_TEXT_LENGTH = 400;

/** Truncates a text at a word boundary. */
function shorten(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const beginning = text.slice(0, MAX_TEXT_LENGTH);
  return `${beginning.slice(0, Math.max(beginning.lastIndexOf(' '), MAX_TEXT_LENGTH / 2)).trimEnd()}…`;
}

function captionLines({ title, title_size: size, text, author, date }: ElementOf<'image'>['config']): CaptionLine[] {
  const smaller = { size: size * SMALL_TEXT, weight: 400, strength: 0.8 } as const;
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

/** Title, author, date and text of an image, beside its top edge or below it; undefined if all are empty. */
async function captionOf(
  { config, ignore_light: ignoreLight }: ElementOf<'image'>,
  picture: { width: number; height: number },
): Promise<Caption | undefined> {
  const lines = captionLines(config);
  if (lines.length === 0) return undefined;
  const { drawCaption } = await import('./parts/caption.ts');
  const { title_alignment: side, title_color: color, title_size, caption_style: style, caption_side } = config;
  const isBelow = caption_side === 'below';
  // Beside an image, text aligns with its edge; a plaque and a caption below read from the left.
  const align = side === 'left' && style === 'plain' && !isBelow ? 'right' : 'left';
  const caption = await drawCaption(lines, { align, color, ignoreLight, style, width: config.caption_width });
  const gap = title_size * CAPTION_GAP;
  if (isBelow) {
    const x = (side === 'right' ? 1 : -1) * ((picture.width - caption.width) / 2);
    caption.mesh.position.set(x, -(picture.height / 2 + gap + caption.height / 2), 0);
  } else {
    const away = picture.width / 2 + gap + caption.width / 2;
    caption.mesh.position.set(side === 'left' ? -away : away, (picture.height - caption.height) / 2, 0);
  }
  return caption;
}

/** Loads an image in one of its sizes; material and texture are shared between equal images. */
async function surfaceOf(context: StageContext, element: ElementOf<'image'>, { url }: ImageSize, small?: string) {
  const { resources, renderer } = context;
  const texture = await resources.texture(url, { maxSize: renderer.capabilities.maxTextureSize, small });
  const key = `picture ${element.ignore_light} ${url}`;
  const material = resources.share(key, () => materialFor(texture, element.ignore_light, url));
  return {
    texture,
    material,
    free: () => {
      resources.unshare(key);
      resources.release(url);
    },
  };
}

/** An image on a plane, visible from the front; one with depth stands out from the wall. */
export const draw: ElementDrawing<ElementOf<'image'>> = async (context, element, entity) => {
  const url = sourceOf(element);
  if (!url) throw new Error('The image has no file.');
  // Plans are shown by the page.
  if (element.config.appearance === 'plan') return { object: new Group(), dispose: () => undefined };
  if (element.config.appearance === 'nadir') return (await import('./parts/nadir.ts')).drawNadir(context, element, url);
  const { width: across, height: down } = element.file ?? {};
  const known = across && down ? { width: across, height: down } : undefined;
  const sizes = imageSizes(url, known ? element.file : null);
  const seen = (world: Matrix4) =>
    seenWidth(context.camera, world, imageSize(element, known!), context.renderer.domElement.height);
  let current = 0;
  if (known && sizes.length > 1) {
    const world = new Matrix4();
    context.scene.worldMatrix(entity, world.elements);
    current = sizeFor(sizes, seen(world));
  }
  let surface = await surfaceOf(context, element, sizes[current]!, current > 0 ? sizes[0]!.url : undefined);
  // Sizes of downscaled copies are rounded, so prefer the original's.
  const { width, height } = imageSize(element, known ?? (surface.texture.image as ImageBitmap));
  // Equal images share geometry and material but aren't instances of one mesh: each is sorted for transparency and
  // picked separately.
  const plane = `plane ${width} ${height}`;
  const picture = new Mesh(
    context.resources.share(plane, () => new PlaneGeometry(width, height)),
    surface.material,
  );
  picture.castShadow = true;
  picture.receiveShadow = !element.ignore_light;
  const body = element.depth ? imageMesh(width, height, element.depth) : undefined;
  if (body && element.depth) {
    picture.position.z = element.depth / 2 + 0.2;
  }
  let isOver = false;
  let isLoading = false;
  const free = () => {
    isOver = true;
    if (body) freeObject(body);
    context.resources.unshare(plane);
    surface.free();
  };
  const caption = await withCleanup(captionOf(element, { width, height }), free);
  if (caption) caption.mesh.position.z = picture.position.z;
  const parts = [picture, body ?? [], caption?.mesh ?? []].flat();
  // A group per image would double the number of objects, and there may be thousands.
  const object = parts.length === 1 ? picture : new Group().add(...parts);
  const matchSize = async () => {
    if (isLoading) return;
    isLoading = true;
    try {
      // The visitor may move while an image loads.
      for (;;) {
        const wanted = sizeFor(sizes, seen(object.matrixWorld), current);
        if (wanted === current) return;
        const other = await surfaceOf(context, element, sizes[wanted]!);
        if (isOver) return other.free();
        surface.free();
        surface = other;
        picture.material = other.material;
        current = wanted;
        context.invalidate();
      }
    } catch {
      // Keep the current image; the next check retries.
    } finally {
      isLoading = false;
    }
  };
  return {
    object,
    face: picture,
    ...(sizes.length > 1 && { matchSize: () => void matchSize() }),
    dispose: () => {
      caption?.dispose();
      free();
    },
  };
};
