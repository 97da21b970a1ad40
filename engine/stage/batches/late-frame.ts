import type { ElementOf } from '../../document/element.ts';
import { borderOf, framingOf } from '../../document/framing.ts';
import type { StageContext } from '../context.ts';
import type { FramedImage, FrameView } from './frame-view.ts';
import type { RoomImages } from './room-images.ts';

/** Frame and shadow of an image, before its size is known. */
export interface LateFrame {
  /** Distance in units from the edge of the image to the outer edge of the frame. */
  readonly border: number;
  make(image: Omit<FramedImage, 'depth' | 'ignoreLight'>): FrameView;
}

/** Loads the code for frames; undefined if an image has neither a frame nor a shadow. */
export async function lateFrame(
  { scene }: StageContext,
  { config, depth, ignore_light: ignoreLight }: ElementOf<'image'>,
  images: RoomImages,
): Promise<LateFrame | undefined> {
  const framing = framingOf(config, scene.room.template);
  const border = borderOf(framing);
  if (border === 0 && framing.contact_shadow === 0) return undefined;
  const { FrameView } = await import('./frame-view.ts');
  return { border, make: (image) => new FrameView(images, framing, { ...image, depth: depth ?? 0, ignoreLight }) };
}
