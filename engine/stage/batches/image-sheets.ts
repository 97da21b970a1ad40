import type { Scene } from 'three';
import { SHEET } from '../../document/sheet-layout.ts';
import { layerCopy } from '../../document/small-copy.ts';
import type { StageContext } from '../context.ts';
import { requestPicture } from '../resources/resources.ts';
import { hasAlpha } from './load-layer.ts';

/** Milliseconds after its last use in which a decoded sheet is closed. It is requested again if it is needed again. */
const UNUSED = 2000;

/** How images are decoded, without their orientation. */
const DECODING = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' } as const;

interface LoadedSheet {
  /** Undefined if the sheet can't be loaded. */
  bitmap: Promise<ImageBitmap | undefined>;
  /** Number of images that are being cut out. */
  users: number;
  timer?: ReturnType<typeof setTimeout>;
}

async function loadSheet(url: string): Promise<ImageBitmap | undefined> {
  try {
    const response = await requestPicture(url);
    // It is not packed yet.
    return response.status === 200 ? await createImageBitmap(await response.blob(), DECODING) : undefined;
  } catch {
    return undefined;
  }
}

const rooms = new WeakMap<Scene, ImageSheets>();

/** Loads the small images of a room from sheets, which the server packs. */
export class ImageSheets {
  /** The place of each image by the URL of its small copy. */
  readonly #places = new Map<string, { url: string; index: number }>();
  readonly #loaded = new Map<string, LoadedSheet>();

  private constructor({ scene, sheets }: Pick<StageContext, 'scene' | 'sheets'>) {
    const places = new Map(
      sheets.flatMap(({ url, file_ids }) => file_ids.map((id, index) => [id, { url, index }] as const)),
    );
    for (const { file } of scene.room.elements) {
      const place = file && places.get(file.id);
      if (place) this.#places.set(layerCopy(file.url, file, 'small'), place);
    }
  }

  /** The sheets of a room. Decoded ones are closed soon after they were used. */
  static of(context: StageContext): ImageSheets {
    const known = rooms.get(context.three) ?? new ImageSheets(context);
    rooms.set(context.three, known);
    return known;
  }

  /**
   * Loads a small image, with bottom-up rows.
   * @param key URL of its small copy
   * @returns undefined if no sheet shows it, or if it has transparent pixels
   */
  async load(key: string): Promise<ImageBitmap | undefined> {
    const place = this.#places.get(key);
    if (!place) return undefined;
    const { url, index } = place;
    const sheet = this.#loaded.get(url) ?? { bitmap: loadSheet(url), users: 0 };
    this.#loaded.set(url, sheet);
    clearTimeout(sheet.timer);
    sheet.users++;
    try {
      const bitmap = await sheet.bitmap;
      return bitmap && (await this.#cut(bitmap, index));
    } catch {
      return undefined;
    } finally {
      sheet.users--;
      if (sheet.users === 0) sheet.timer = setTimeout(() => this.#close(url), UNUSED);
    }
  }

  async #cut(bitmap: ImageBitmap, index: number): Promise<ImageBitmap | undefined> {
    const { side, columns } = SHEET;
    const [left, top] = [(index % columns) * side, Math.floor(index / columns) * side];
    const options = { ...DECODING, imageOrientation: 'flipY' } as const;
    const image = await createImageBitmap(bitmap, left, top, side, side, options);
    // Places of images that the server could not draw are empty.
    if (!hasAlpha(image)) return image;
    image.close();
    return undefined;
  }

  #close(url: string): void {
    const sheet = this.#loaded.get(url);
    this.#loaded.delete(url);
    void sheet?.bitmap.then((bitmap) => bitmap?.close());
  }
}
