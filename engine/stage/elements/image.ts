import { BoxGeometry, Group, Matrix4, Mesh, PlaneGeometry } from 'three';
import type { ElementOf } from '../../document/element.ts';
import { imageSize } from '../../document/image-size.ts';
import { imageSizes } from '../../document/small-copy.ts';
import { sourceOf } from '../../document/source.ts';
import { BODY_GAP, bodyMaterial } from '../batches/body.ts';
import { lateFrame } from '../batches/late-frame.ts';
import { RoomImages, type SharingImage } from '../batches/room-images.ts';
import { SharpPicture } from '../batches/sharp-picture.ts';
import type { ElementDrawing, ElementView, StageContext } from '../context.ts';
import { freeObject } from '../resources/free.ts';
import { withCleanup } from '../resources/with-cleanup.ts';
import type { Caption } from './parts/caption.ts';
import { captionOf, placeCaption } from './parts/image-caption.ts';

/** The body of an image with depth, like a canvas on a stretcher. */
function bodyOf(width: number, height: number, depth: number): Mesh {
  const body = new Mesh(new BoxGeometry(width, height, depth), bodyMaterial());
  body.castShadow = true;
  return body;
}

async function drawnCaption(
  element: ElementOf<'image'>,
  picture: { width: number; height: number },
  border: number | undefined,
): Promise<Caption | undefined> {
  const layout = await captionOf(element);
  if (!layout) return undefined;
  const { drawCaption } = await import('./parts/caption.ts');
  const caption = drawCaption(layout);
  placeCaption(caption.mesh, layout, element, picture, border);
  return caption;
}

/** Size of an image file in pixels; undefined if unknown. */
function fileSize({ file }: ElementOf<'image'>): { width: number; height: number } | undefined {
  const { width, height } = file ?? {};
  return width && height ? { width, height } : undefined;
}

/** Draws an image by itself. */
async function drawAlone(
  context: StageContext,
  element: ElementOf<'image'>,
  entity: number,
  url: string,
): Promise<ElementView> {
  const known = fileSize(element);
  const images = RoomImages.of(context);
  const sizes = imageSizes(url, known ? element.file : null);
  const sharp = new SharpPicture(context, element, sizes, images.maxImageBytes);
  let object: Mesh | Group | undefined;
  let picture: Mesh | undefined;
  const world = new Matrix4();
  context.scene.worldMatrix(entity, world.elements);
  const image: SharingImage = {
    get world() {
      return object?.matrix ?? world;
    },
    sides: known ? imageSize(element, known) : { width: 0, height: 0 },
    sizes,
    get bytes() {
      return sharp.bytes;
    },
    get isVisible() {
      return object?.visible === true;
    },
    isAlone: true,
    draws: 1,
    get current() {
      return sharp.current;
    },
    get isLoading() {
      return sharp.isLoading;
    },
    layers: undefined,
    resize: (size) =>
      sharp.change(size ?? 0, () => {
        picture!.material = sharp.material!;
      }),
  };
  images.add(image);
  let body: Mesh | undefined;
  let plane = '';
  const free = () => {
    if (body) freeObject(body);
    if (plane) context.resources.unshare(plane);
    sharp.dispose();
    images.remove(image);
  };
  const size = known && sizes.length > 1 ? images.firstSize(image) : 0;
  const loading = Promise.all([sharp.start(size), lateFrame(context, element, images)]);
  const [texture, framing] = await withCleanup(loading, free);
  // Sizes of downscaled copies are rounded, so prefer the original's.
  const { width, height } = imageSize(element, known ?? (texture.image as ImageBitmap));
  // Equal images share geometry and material.
  plane = `plane ${width} ${height}`;
  const geometry = context.resources.share(plane, () => new PlaneGeometry(width, height));
  picture = new Mesh(geometry, sharp.material!);
  picture.castShadow = true;
  picture.receiveShadow = !element.ignore_light;
  if (element.depth) {
    body = bodyOf(width, height, element.depth);
    picture.position.z = element.depth / 2 + BODY_GAP;
  }
  const frame = framing?.make({ sides: { width, height }, face: picture.position.z });
  const caption = await withCleanup(drawnCaption(element, { width, height }, framing?.border), free);
  if (caption) caption.mesh.position.z = picture.position.z;
  const parts = [picture, body ?? [], frame?.front ?? [], caption?.mesh ?? []].flat();
  // A group per image would double the number of objects.
  const drawn = parts.length === 1 ? picture : new Group().add(...parts);
  object = drawn;
  const placeFrame = (isVisible: boolean) => (isVisible ? frame!.show(drawn.matrix) : frame!.hide());
  return {
    object,
    face: picture,
    ...(frame && { moved: () => placeFrame(drawn.visible), show: placeFrame }),
    ...(sizes.length > 1 && { matchSize: () => images.request() }),
    dispose: () => {
      caption?.dispose();
      frame?.dispose();
      free();
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
  if (!fileSize(element) || !RoomImages.of(context).isCrowded) return drawAlone(context, element, entity, url);
  const { drawBatched } = await import('../batches/batched-image.ts');
  return drawBatched(context, element, url);
};
