import { makeAutoObservable, runInAction } from 'mobx';
import { type Room, roomSchema } from '../../../engine/document/room.ts';
import type { Client } from '../../contract/client.ts';
import type { Endpoint, Media } from '../../contract/entities.ts';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { normalizeSlug } from '../../contract/slug.ts';
import { panoramaProblem } from '../../contract/template-file.ts';
import { storedText } from '../../ui/storage.ts';
import { hangImages, nameOfFile } from './place-images.ts';

/** What a space begins with. */
export type SpaceKind = 'pano' | 'model' | 'images' | 'empty';

/** What is typed on the way to a new space. */
export interface NewSpaceDraft {
  title: string;
  slug: string;
  /** Whether the address was typed: until then it follows the title. */
  isSlugOwn: boolean;
  is_protected: boolean;
  /** How many access tokens are made. */
  tokens: number;
  /** Time of day at which it opens, HH:mm; null for always. */
  start_time: string | null;
}

/** Where visitors start, and the point that they look at, in units. */
export interface FirstView {
  position: { x: number; y: number; z: number };
  angle: { x: number; y: number; z: number };
}

/** What was made. */
export interface MadeSpace {
  endpoint: Endpoint;
  roomId: number;
  tokens: string[];
}

const BLANK: NewSpaceDraft = {
  title: '',
  slug: '',
  isSlugOwn: false,
  is_protected: false,
  tokens: 10,
  start_time: null,
};

/** Characters of each access token. */
const TOKEN_LENGTH = 10;
/** Where one stands to see a model that is as large as its room, in units. */
const BEFORE_MODEL = { x: 0, y: 200, z: 2600 };

/** What is kept of a space that was begun, for whoever comes back. */
const begun = storedText('enfilade.new-space');

/** The way from a few files to a space with a public address. */
export class NewSpaceStore {
  readonly #client: Client;
  kind: SpaceKind | null = null;
  files: Media[] = [];
  draft: NewSpaceDraft = BLANK;
  /** The first view that was chosen; null for the one that the space begins with. */
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

  /** Forgets what was begun. The files stay in the library. */
  startOver(): void {
    Object.assign(this, { kind: null, files: [], draft: BLANK, view: null, errors: {}, made: null });
    this.#keep();
  }

  /** Begins without any file. */
  beginEmpty(): void {
    this.kind = 'empty';
    this.#keep();
  }

  /** Takes a file that was uploaded: the first decides what the space is, further images hang in it. */
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

  /** Why the only image is no 360° photo; null where it is one, or where there are several. */
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

  /** The space as visitors will find it, as a document. */
  get room(): Room {
    const { kind, files } = this;
    const [file] = files;
    const camera = { rotate: true, rotate_left_button: true, zoom: true };
    const shell = kind === 'pano' || kind === 'model' ? { model_type: kind, file, file_id: file!.id } : {};
    return roomSchema.parse({
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

  /** Whether something was begun that is not there yet. */
  get isBegun(): boolean {
    return this.kind !== null && this.made === null;
  }

  /**
   * Adds the space with its address: all of it, or nothing.
   * @returns whether that went well
   * @throws ApiError where no field is at fault
   */
  async save(): Promise<boolean> {
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
              start_time_utc_offset: new Date().getTimezoneOffset(),
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
