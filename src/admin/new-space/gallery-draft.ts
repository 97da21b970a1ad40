import { makeAutoObservable } from 'mobx';
import {
  type Gallery,
  galleryCommands,
  galleryIds,
  planGallery,
} from '../../../engine/document/arrangements/gallery.ts';
import { galleryModel } from '../../../engine/document/arrangements/gallery-model.ts';
import {
  HANG_DEFAULTS,
  type HangingOptions,
  planHanging,
  UNITS_PER_CENTIMETER,
  workSizes,
} from '../../../engine/document/arrangements/hang.ts';
import type { Client } from '../../contract/client.ts';
import type { Media } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { hangableWorks, planSheet, type RowProblem, sendCommands } from '../../contract/hanging.ts';
import { SheetReading } from '../../ui/media/sheet-reading.ts';

/** Works hang in one row at eye level. */
const OPTIONS: HangingOptions = {
  layout: 'row',
  align: 'center',
  line: HANG_DEFAULTS.line * UNITS_PER_CENTIMETER,
  gap: HANG_DEFAULTS.gap * UNITS_PER_CENTIMETER,
  sizing: 'real',
};
/** Side of works that are not chosen yet, and space for their captions, in units. */
const SIDE = HANG_DEFAULTS.height * UNITS_PER_CENTIMETER;
const CAPTION = 60;
/** Ratio of the farthest visible distance to the length of the building. */
const FAR = 1.5;

/** Height of the walls in centimeters. */
export const WALL_HEIGHTS = { min: 250, max: 1000 } as const;
export const MAX_GALLERY_WORKS = 300;

/** A gallery to create: for the works of a sheet, or for a number of works that are hung later. */
export class GalleryDraft {
  readonly #client: Client;
  readonly reading: SheetReading;
  works = 30;
  height = 400;

  constructor(client: Client) {
    this.#client = client;
    this.reading = new SheetReading(client);
    makeAutoObservable(this, { reading: false });
  }

  set(values: Partial<Pick<GalleryDraft, 'works' | 'height'>>): void {
    Object.assign(this, values);
  }

  get #hangable() {
    return hangableWorks(this.reading.sheet?.works ?? []);
  }

  /** Whether a building can be planned. */
  get isReady(): boolean {
    return !this.reading.isReading && (this.reading.sheet === null || this.#hangable.length > 0);
  }

  get gallery(): Gallery {
    const { works, height, reading } = this;
    const sizes = reading.sheet
      ? workSizes(this.#hangable, OPTIONS, null)
      : Array.from({ length: works }, () => ({ width: SIDE, height: SIDE, below: CAPTION }));
    return planGallery(sizes, height, OPTIONS);
  }

  /** Problems with rows of the sheet. */
  get problems(): RowProblem[] {
    const { gallery, reading } = this;
    if (!reading.sheet) return [];
    return planSheet({ height: gallery.height, elements: [], template: null }, gallery.walls, reading.sheet, OPTIONS)
      .problems;
  }

  /** Stores the building as a model. @param title its name in the library */
  upload(title: string): Promise<Media> {
    const file = new File([galleryModel(this.gallery.boxes)], `${title}.glb`, { type: 'model/gltf-binary' });
    return this.#client.media.upload({ body: {}, files: { file } });
  }

  /** Gives the space its size, and adds walls and works. */
  async fill(roomId: number): Promise<void> {
    const { gallery } = this;
    const { width, height, depth } = gallery;
    const client = this.#client;
    const { config, template_id } = await client.rooms.read({ params: { id: roomId } });
    const far = Math.max(config.camera.far, Math.ceil(depth * FAR));
    const camera = { ...config.camera, far };
    await client.rooms.update({ params: { id: roomId }, body: { width, height, depth, config: { camera } } });
    const hanging = planHanging({ height, elements: [], template: null }, gallery.walls, this.#hangable, OPTIONS);
    const sending = { roomId, name: `gallery ${crypto.randomUUID()}`, count: galleryIds(gallery, hanging) };
    await sendCommands(client, sending, (ids) => galleryCommands(gallery, hanging, ids));
    // Other spaces of the template get the size of its building. Not everybody who may create templates may change them.
    if (template_id !== null)
      await client.templates
        .update({ params: { id: template_id }, body: { width, height, depth } })
        .catch((error: unknown) => {
          if (!(error instanceof ApiError && error.code === 'forbidden')) throw error;
        });
  }
}
