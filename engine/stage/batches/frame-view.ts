import { BoxGeometry, Color, Matrix4, Mesh } from 'three';
import { STAND_OFF } from '../../document/constants.ts';
import { borderOf, type Framing } from '../../document/framing.ts';
import { frameLook, SHADOW_SPREAD, shadowLook } from './frame-look.ts';
import { Instance, type InstanceValues } from './instances.ts';
import { PICKED } from './picked.ts';
import type { RoomImages } from './room-images.ts';

/** Distance in units of a frame's front from the image, and thickness of a mat. */
const LIP = 2;
const MAT = 0.8;
/** Distance in units of shadows from what is behind them. */
const GAP = 0.5;
/** Softness of shadows as a standard deviation, and distance below their image, in units. */
const SOFTNESS = 8;
const DROP = 4;

/** An image, as far as its frame depends on it; lengths in units. */
export interface FramedImage {
  sides: { width: number; height: number };
  /** Depth of its body. */
  depth: number;
  /** Position of the image along z. */
  face: number;
  ignoreLight: boolean;
}

/** A part of the frame: an instance at a place relative to the image. */
interface Part {
  instance: Instance;
  place: Matrix4;
  values: InstanceValues;
}

const placed = new Matrix4();
const linear = (color: string): number[] => new Color(color).toArray();

/** The frame of an image, and its shadow on the wall, drawn with those of all images of the room. */
export class FrameView {
  /** Front of the frame, which is picked and outlined, but not drawn; undefined without a frame. */
  readonly front: Mesh<BoxGeometry> | undefined;
  readonly #images: RoomImages;
  readonly #ignoreLight: boolean;
  readonly #frame: Part | undefined;
  readonly #shadow: Part | undefined;

  constructor(images: RoomImages, framing: Framing, { sides, depth, face, ignoreLight }: FramedImage) {
    this.#images = images;
    this.#ignoreLight = ignoreLight;
    const border = borderOf(framing);
    const [width, height] = [sides.width + 2 * border, sides.height + 2 * border];
    const wall = -depth / 2 - STAND_OFF;
    let back = -depth / 2;
    if (border > 0) {
      const { frame_width: own, mat_width: mat } = framing;
      const thickness = Math.max(framing.frame_depth, LIP);
      // A deep frame begins at the wall, and stands out in front of the image.
      const begin = Math.max(face + LIP - thickness, wall);
      back = Math.min(back, begin);
      const level = (z: number) => (z - begin) / thickness;
      const values = [
        ...[own / width, own / height, border / width, border / height],
        ...[level(face), level(mat > 0 ? face + MAT : face), mat > 0 ? Math.min(MAT / mat, 1) : 0],
        ...linear(framing.frame_color),
        ...linear(framing.mat_color),
      ];
      const place = new Matrix4().makeScale(width, height, thickness).setPosition(0, 0, begin);
      this.#frame = { instance: new Instance(), place, values };
      const end = begin + thickness;
      this.front = new Mesh(new BoxGeometry(width, height, end - face), PICKED);
      this.front.position.z = (face + end) / 2;
      this.front.visible = false;
    }
    if (framing.contact_shadow > 0) {
      const spread = 2 * SHADOW_SPREAD * SOFTNESS;
      const [across, up] = [width + spread, height + spread];
      const z = wall + GAP;
      const nearer = Math.max(0, back - GAP - z);
      const place = new Matrix4().makeScale(across, up, 1).setPosition(0, -DROP, z);
      const values = [SOFTNESS / across, SOFTNESS / up, framing.contact_shadow, nearer];
      this.#shadow = { instance: new Instance(), place, values };
    }
  }

  /** Shows or moves the frame. @param world matrix of the image */
  show(world: Matrix4): void {
    if (this.#frame) {
      const { instance, place, values } = this.#frame;
      const ignoreLight = this.#ignoreLight;
      const set = this.#images.instances(`frames ${ignoreLight}`, () => frameLook(ignoreLight));
      instance.show(set, placed.multiplyMatrices(world, place), values);
    }
    if (this.#shadow) {
      const { instance, place, values } = this.#shadow;
      instance.show(this.#images.instances('shadows', shadowLook), placed.multiplyMatrices(world, place), values);
    }
  }

  hide(): void {
    for (const part of [this.#frame, this.#shadow]) part?.instance.hide();
  }

  dispose(): void {
    this.hide();
    this.front?.geometry.dispose();
  }
}
