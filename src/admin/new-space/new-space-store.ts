import { makeAutoObservable, runInAction, when } from 'mobx';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { MAX_ENDPOINT_ROWS } from '../../contract/calls/endpoints.ts';
import type { Client } from '../../contract/client.ts';
import type { Endpoint, Media } from '../../contract/entities.ts';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { freeSlug, normalizeSlug, RESERVED_SLUGS } from '../../contract/slug.ts';
import { panoramaProblem } from '../../contract/template-file.ts';
import { showProblem } from '../../ui/notifications.ts';
import { storedText } from '../../ui/storage.ts';
import type { GalleryDraft } from './gallery-draft.ts';
import type { IiifDraft } from './iiif-draft.ts';
import type { ImportDraft } from './import-draft.ts';
import { type NewStructure, TourDraft, withScreenFields } from './tour-draft.ts';

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
type SpaceKind = 'pano' | 'tour' | 'import' | 'gallery' | 'model' | 'images' | 'empty';

/** The kind of a space with these images. */
function kindOfImages(files: readonly Media[]): SpaceKind {
  const photos = files.filter((file) => panoramaProblem(file) === null).length;
  if (photos > 1) return 'tour';
  return photos === 1 && files.length === 1 ? 'pano' : 'images';
}

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

/** Fields of a structure that opens daily. @param zone time zone of the start time */
const openingOf = ({ start_time }: NewSpaceDraft, zone: string) =>
  start_time === null ? {} : { start_time, time_zone: zone, is_timed: true, show_countdown: true };

/** Length of each access token. */
const TOKEN_LENGTH = 10;
/** Viewing distance for a model as large as its room, in units. */
const BEFORE_MODEL = { x: 0, y: 200, z: 2600 };

/** Draft kept across page loads. */
const begun = storedText('enfilade.new-space');

export class NewSpaceStore {
  readonly #client: Client;
  readonly #folder: number | null;
  /** Plan of a tour. */
  readonly tour: TourDraft;
  /** The tour or manifest to import. */
  imported: ImportDraft | IiifDraft | null = null;
  /** The gallery to create. */
  gallery: GalleryDraft | null = null;
  kind: SpaceKind | null = null;
  files: Media[] = [];
  draft: NewSpaceDraft = BLANK;
  /** The chosen first view; null for the default. */
  view: FirstView | null = null;
  errors: Messages = {};
  isSaving = false;
  made: MadeSpace | null = null;
  /** The created tour, which opens in the editor, and why it has no access tokens. */
  madeTour: { roomId: number; endpointId: number; problem: string } | null = null;

  /** @param folder folder of the new space; null for none */
  constructor(client: Client, folder: number | null = null) {
    this.#client = client;
    this.#folder = folder;
    this.tour = new TourDraft(client);
    makeAutoObservable(this, { tour: false });
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
    // Files on disk can't be kept.
    begun.set(kind === null || kind === 'import' || kind === 'gallery' ? null : JSON.stringify({ kind, files, draft }));
  }

  /** Discards the draft. Uploaded files stay in the library. */
  startOver(): void {
    Object.assign(this, { kind: null, files: [], draft: BLANK, view: null, errors: {}, made: null, madeTour: null });
    this.imported?.cancel();
    this.imported = null;
    this.gallery?.reading.uploads.cancelAll();
    this.gallery = null;
    this.tour.reset();
    this.#keep();
  }

  /** Starts without files. */
  beginEmpty(): void {
    this.kind = 'empty';
    this.#keep();
  }

  /** Starts with a gallery. */
  beginGallery(gallery: GalleryDraft): void {
    Object.assign(this, { kind: 'gallery', gallery, files: [], view: null });
    this.#keep();
  }

  /** Starts with a tour made elsewhere or a manifest, and takes over its title. */
  beginImport(imported: ImportDraft | IiifDraft): void {
    Object.assign(this, { kind: 'import', imported, files: [], view: null });
    void when(
      () => imported.plan !== null,
      () => {
        const title = imported.plan!.title || nameOfFile(imported.fileName);
        this.#suggest(title);
      },
    );
    this.#keep();
  }

  /**
   * Adds an uploaded file. A model replaces all others; a single 360° photo surrounds the visitor, several become a tour, and
   * other images are hung.
   */
  take(file: Media): void {
    if (file.type === 'object') {
      this.kind = 'model';
      this.files = [file];
    } else {
      const others = this.kind === 'model' ? [] : this.files;
      if (!others.some(({ id }) => id === file.id)) this.files = [...others, file];
      this.kind = kindOfImages(this.files);
    }
    this.view = null;
    this.#suggest(nameOfFile(file.name));
    this.#keep();
  }

  /** Suggests a title, and an address that is free. */
  #suggest(title: string): void {
    if (this.draft.title !== '') return;
    this.set({ title: title.slice(0, 255) });
    const wanted = this.draft.slug;
    this.#client.endpoints.rows({ query: { search: wanted, level: 'top', per_page: MAX_ENDPOINT_ROWS } }).then(
      ({ data }) =>
        runInAction(() => {
          if (this.draft.isSlugOwn || this.draft.slug !== wanted) return;
          this.draft.slug = freeSlug(wanted, new Set([...RESERVED_SLUGS, ...data.map(({ slug }) => slug)]));
          this.#keep();
        }),
      // Without a suggestion, creating the space reports an address that is taken.
      () => undefined,
    );
  }

  /** Removes a file from the draft; it stays in the library. */
  leaveOut(file: Media): void {
    this.files = this.files.filter(({ id }) => id !== file.id);
    this.kind = this.files.length === 0 ? null : kindOfImages(this.files);
    this.#keep();
  }

  /** Whether a file on disk has been uploaded for this draft, as far as its name and size tell. */
  has({ name, size }: File): boolean {
    return this.files.some(({ original }) => original?.name === name && original.bytes === size);
  }

  /** Why a single image is not a 360° photo; null if it is, or if there are several. */
  get photoProblem(): string | null {
    const [file] = this.files;
    return this.kind === 'images' && this.files.length === 1 && file ? panoramaProblem(file) : null;
  }

  set(changes: Partial<NewSpaceDraft>): void {
    this.draft = { ...this.draft, ...changes };
    if ('title' in changes && !this.draft.isSlugOwn) this.draft.slug = normalizeSlug(this.draft.title);
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
    return this.kind !== null && this.made === null && this.madeTour === null;
  }

  /**
   * Creates the space and its structure: both or nothing.
   * @param zone time zone of the start time
   * @returns whether it succeeded
   * @throws ApiError if no field is at fault
   */
  async save(zone: string): Promise<boolean> {
    const { kind, draft } = this;
    const title = draft.title.trim();
    if (kind === null || this.isSaving) return false;
    if (title === '') {
      this.errors = { title: ['Give the space a title.'] };
      return false;
    }
    this.isSaving = true;
    this.errors = {};
    if (kind === 'tour')
      return this.#saved(() => this.#createTour(title, zone, (tour) => this.tour.create(this.files, tour)));
    if (kind === 'import')
      return this.#saved(() => this.#createTour(title, zone, (tour) => this.imported!.create(tour)));
    return this.#saved(() => this.#createSpace(title, zone));
  }

  async #putIntoFolder(): Promise<void> {
    const id = (this.made ?? this.madeTour)?.roomId;
    // The space exists by now: a failure must not suggest creating it again.
    if (id !== undefined && this.#folder !== null)
      await this.#client.rooms.move({ params: { id }, body: { folder_id: this.#folder } }).catch(showProblem);
  }

  /** Runs a creation. @returns whether it succeeded */
  async #saved(create: () => Promise<void>): Promise<boolean> {
    try {
      await create();
      await this.#putIntoFolder();
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

  async #createTour(
    title: string,
    zone: string,
    create: (tour: NewStructure) => Promise<{ roomId: number; endpointId: number } | null>,
  ): Promise<void> {
    const { is_protected, slug, tokens } = this.draft;
    const path = slug || normalizeSlug(title);
    const tour = { name: title, path, is_protected, ...openingOf(this.draft, zone) };
    const created = await withScreenFields(() => create(tour));
    if (!created) return;
    const { roomId, endpointId } = created;
    const body = { endpoint_id: endpointId, count: tokens, length: TOKEN_LENGTH };
    const added = is_protected && tokens > 0 ? this.#client.accessTokens.createMany({ body }) : Promise.resolve();
    // The tour exists by now: a failure must not suggest creating it again.
    const problem = await added.then(
      () => '',
      (error: unknown) => (error instanceof ApiError ? error.message : 'The server can’t be reached.'),
    );
    runInAction(() => Object.assign(this, { madeTour: { roomId, endpointId, problem } }));
  }

  async #createSpace(title: string, zone: string): Promise<void> {
    const { kind, files, draft, view, gallery } = this;
    const { is_protected, slug } = draft;
    const building = kind === 'gallery' ? await gallery!.upload(title) : null;
    const shell = building ?? (kind === 'pano' || kind === 'model' ? files[0]! : null);
    const start = building
      ? gallery!.gallery.start
      : (view ?? (kind === 'model' ? { position: BEFORE_MODEL, angle: { x: 0, y: 0, z: 0 } } : {}));
    const { endpoint, room_id, tokens } = await this.#client.endpoints.createWithRoom({
      body: {
        endpoint: { name: title, is_protected, ...(slug && { slug }), ...openingOf(draft, zone) },
        room: { title, ...start },
        ...(shell && { template: { model_type: kind === 'pano' ? 'pano' : 'model', file_id: shell.id } }),
        ...(kind === 'images' && { images: hangImages(files) }),
        ...(is_protected && draft.tokens > 0 && { tokens: { count: draft.tokens, prefix: '', length: TOKEN_LENGTH } }),
      },
    });
    // The space exists by now: a failure must not suggest creating it again.
    if (building) await gallery!.fill(room_id).catch(showProblem);
    runInAction(() => {
      this.made = { endpoint, roomId: room_id, tokens };
    });
  }
}
