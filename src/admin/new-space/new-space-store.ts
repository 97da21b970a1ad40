import { makeAutoObservable, runInAction } from 'mobx';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import type { Client } from '../../contract/client.ts';
import type { Endpoint, Media } from '../../contract/entities.ts';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { normalizeSlug } from '../../contract/slug.ts';
import { panoramaProblem } from '../../contract/template-file.ts';
import { storedText } from '../../ui/storage.ts';

/** Longest side, gap and minimum distance of images, in units. */
const SIDE = 420;
const GAP = 60;
const NEAREST = 900;
/** Maximum angle the images cover, in radians; the area behind the visitor stays free. */
const MAX_ARC = (5 / 3) * Math.PI;

/** Position and size of an image, in units and radians. */
interface HungImage {
  file_id: number;
  name: string;
  width: number;
  height: number;
  position_x: number;
  position_y: number;
  position_z: number;
  rotation_y: number;
}

/** File name without extension, as a title. */
const nameOfFile = (name: string): string =>
  name
    .replace(/\.[a-z0-9]{2,5}$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim();

/** Arranges images in an arc around the visitor, left to right, each facing them; the middle one is straight ahead. */
function hangImages(images: readonly Media[]): HungImage[] {
  const sizes = images.map(({ width, height }) => {
    const ratio = (width || 1) / (height || 1);
    return ratio >= 1 ? { width: SIDE, height: SIDE / ratio } : { width: SIDE * ratio, height: SIDE };
  });
  const length = sizes.reduce((sum, { width }) => sum + width + GAP, 0);
  const radius = Math.max(NEAREST, length / MAX_ARC);
  let at = -length / 2;
  return images.map((image, index) => {
    const { width, height } = sizes[index]!;
    const angle = (at + (width + GAP) / 2) / radius;
    at += width + GAP;
    return {
      file_id: image.id,
      name: nameOfFile(image.name).slice(0, 255),
      width: Math.round(width),
      height: Math.round(height),
      position_x: Math.floor(radius * Math.sin(angle)),
      position_y: 0,
      position_z: Math.floor(-radius * Math.cos(angle)),
      rotation_y: -angle,
    };
  });
}

/** Initial content of a space. */
type SpaceKind = 'pano' | 'model' | 'images' | 'empty';

/** Start position and target, in units. */
export interface FirstView {
  position: { x: number; y: number; z: number };
  angle: { x: number; y: number; z: number };
}

/** The created space. */
export interface MadeSpace {
  endpoint: Endpoint;
  roomId: number;
  tokens: string[];
}

const BLANK = {
  title: '',
  slug: '',
  /** Whether the slug was edited; until then it follows the title. */
  isSlugOwn: false,
  is_protected: false,
  /** Number of access tokens to create. */
  tokens: 10,
  /** Daily opening time, HH:mm; null if always open. */
  start_time: null as string | null,
};
type NewSpaceDraft = typeof BLANK;

/** Length of each access token. */
const TOKEN_LENGTH = 10;
/** Viewing distance for a model as large as its room, in units. */
const BEFORE_MODEL = { x: 0, y: 200, z: 2600 };

/** Draft kept across page loads. */
const begun = storedText('enfilade.new-space');

export class NewSpaceStore {
  readonly #client: Client;
  kind: SpaceKind | null = null;
  files: Media[] = [];
  draft: NewSpaceDraft = BLANK;
  /** The chosen first view; null for the default. */
  view: FirstView | null = null;
  errors: Messages = {};
  isSaving = false;
  made: MadeSpace | null = null;

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
    this.#takeBegun();
  }

  #takeBegun(): void {
    const text = begun.get();
    if (text === null) return;
    try {
      const { kind, files, draft } = JSON.parse(text) as Pick<NewSpaceStore, 'kind' | 'files' | 'draft'>;
      Object.assign(this, { kind, files, draft: { ...BLANK, ...draft } });
    } catch {
      begun.set(null);
    }
  }

  #keep(): void {
    const { kind, files, draft } = this;
    begun.set(kind === null ? null : JSON.stringify({ kind, files, draft }));
  }

  /** Discards the draft. Uploaded files stay in the library. */
  startOver(): void {
    Object.assign(this, { kind: null, files: [], draft: BLANK, view: null, errors: {}, made: null });
    this.#keep();
  }

  /** Starts without files. */
  beginEmpty(): void {
    this.kind = 'empty';
    this.#keep();
  }

  /** Adds an uploaded file: the first decides the kind of space, further images are hung in it. */
  take(file: Media): void {
    if (file.type === 'object') {
      this.kind = 'model';
      this.files = [file];
    } else if (this.files.length === 0 && panoramaProblem(file) === null) {
      this.kind = 'pano';
      this.files = [file];
    } else {
      this.files = [...(this.kind === 'model' ? [] : this.files), file];
      this.kind = 'images';
    }
    this.view = null;
    if (this.draft.title === '') this.set({ title: nameOfFile(file.name).slice(0, 255) });
    this.#keep();
  }

  /** Why a single image is not a 360° photo; null if it is, or if there are several. */
  get photoProblem(): string | null {
    const [file] = this.files;
    return this.kind === 'images' && this.files.length === 1 && file ? panoramaProblem(file) : null;
  }

  set(changes: Partial<NewSpaceDraft>): void {
    this.draft = { ...this.draft, ...changes };
    if (!this.draft.isSlugOwn) this.draft.slug = normalizeSlug(this.draft.title);
    this.errors = Object.fromEntries(Object.entries(this.errors).filter(([name]) => !(name in changes)));
    this.#keep();
  }

  look(view: FirstView): void {
    this.view = view;
  }

  /** Preview document of the space. */
  get room(): Room {
    const { kind, files } = this;
    const [file] = files;
    const camera = { rotate: true, rotate_left_button: true, zoom: true };
    const shell = kind === 'pano' || kind === 'model' ? { model_type: kind, file, file_id: file!.id } : {};
    return parseRoom({
      id: 1,
      name: 'New',
      title: this.draft.title || 'New',
      template_id: 1,
      template: { id: 1, name: 'New', ...shell },
      config: {
        camera: { ...camera, ...(kind === 'model' && { position: BEFORE_MODEL, angle: { x: 0, y: 0, z: 0 } }) },
      },
      elements:
        kind === 'images'
          ? hangImages(files).map((image, index) => ({
              ...image,
              id: index + 1,
              element: 'image',
              file: files[index],
            }))
          : [],
    });
  }

  /** Whether there is an unsaved draft. */
  get isBegun(): boolean {
    return this.kind !== null && this.made === null;
  }

  /**
   * Creates the space and its structure: both or nothing.
   * @param zone time zone of the start time
   * @returns whether it succeeded
   * @throws ApiError if no field is at fault
   */
  async save(zone: string): Promise<boolean> {
    const { kind, files, draft, view } = this;
    const title = draft.title.trim();
    if (kind === null || this.isSaving) return false;
    if (title === '') {
      this.errors = { title: ['Give the space a title.'] };
      return false;
    }
    this.isSaving = true;
    this.errors = {};
    const { is_protected, start_time, slug } = draft;
    const start = view ?? (kind === 'model' ? { position: BEFORE_MODEL, angle: { x: 0, y: 0, z: 0 } } : {});
    try {
      const { endpoint, room_id, tokens } = await this.#client.endpoints.createWithRoom({
        body: {
          endpoint: {
            name: title,
            is_protected,
            ...(slug && { slug }),
            ...(start_time !== null && {
              start_time,
              time_zone: zone,
              is_timed: true,
              show_countdown: true,
            }),
          },
          room: { title, ...start },
          ...((kind === 'pano' || kind === 'model') && { template: { model_type: kind, file_id: files[0]!.id } }),
          ...(kind === 'images' && { images: hangImages(files) }),
          ...(is_protected &&
            draft.tokens > 0 && { tokens: { count: draft.tokens, prefix: '', length: TOKEN_LENGTH } }),
        },
      });
      runInAction(() => {
        this.made = { endpoint, roomId: room_id, tokens };
      });
      begun.set(null);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'invalid')) throw error;
      runInAction(() => (this.errors = error.msg));
      return false;
    } finally {
      runInAction(() => (this.isSaving = false));
    }
  }
}
