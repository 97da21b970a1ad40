import { makeAutoObservable, runInAction } from 'mobx';
import type { TourLinks } from '../../../engine/document/tour-edits.ts';
import type { Client } from '../../contract/client.ts';
import type { Media, TourPlan } from '../../contract/entities.ts';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { sayMessage } from '../../ui/language/say-message.ts';

/** A planned place, or a skipped file. */
export interface TourRow {
  file: Media;
  /** Name of the place; the file name until the tour is planned. */
  name: string;
  /** Position from 1; null until the tour is planned, and for skipped files. */
  rank: number | null;
  /** What the plan says about it. */
  note: string;
  isSkipped: boolean;
}

const ORDERS: Record<TourPlan['order'], string> = {
  given: 'in the order of the list',
  capture_time: 'ordered by capture time',
  file_name: 'ordered by file name',
};
const POSITIONS: Record<TourPlan['positions'], string> = {
  gps: 'Positions come from GPS.',
  grid: 'Places are 4 meters apart, because GPS positions are missing, identical or too far apart.',
};

/** Fields of a new tour's structure. */
export interface NewStructure {
  name: string;
  path: string;
  is_protected: boolean;
  start_time?: string;
  time_zone?: string;
}

/** Runs a creation; renames the fields of its errors to those of the screen. */
export async function withScreenFields<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'invalid')) throw error;
    const fields: Record<string, string> = { 'endpoint.path': 'slug', name: 'title' };
    const messages = Object.entries(error.msg).map(([field, texts]) => [
      fields[field] ?? field.replace(/^endpoint\./, ''),
      texts,
    ]);
    throw new ApiError('invalid', Object.fromEntries(messages) as Messages);
  }
}

/** The plan of a tour, which the server makes from the photos' metadata. */
export class TourDraft {
  readonly #client: Client;
  links: TourLinks = 'consecutive';
  plan: TourPlan | null = null;
  /** Why the photos can't become a tour; empty if they can. */
  problem = '';
  /** Number of the last request; earlier responses are outdated. */
  #last = 0;

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  setLinks(links: TourLinks): void {
    this.links = links;
  }

  /** Discards the plan, such as after the photos have changed. */
  reset(): void {
    this.#last++;
    this.plan = null;
    this.problem = '';
  }

  /**
   * Plans the tour.
   * @throws Error if the server can't be reached
   */
  async replan(files: readonly Media[], links: TourLinks): Promise<void> {
    const request = ++this.#last;
    // The name is checked when the tour is created; a plan must not fail because of it.
    const body = { name: `Plan ${crypto.randomUUID()}`, files: files.map(({ id }) => id), links };
    try {
      const plan = await this.#client.tours.create({ body: { ...body, dry_run: true } });
      runInAction(() => {
        if (request === this.#last) Object.assign(this, { plan, problem: '' });
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      runInAction(() => {
        if (request === this.#last) Object.assign(this, { plan: null, problem: error.message });
      });
    }
  }

  /** Places in order, then the skipped files; as uploaded until the tour is planned. */
  rowsOf(files: readonly Media[]): TourRow[] {
    const { plan } = this;
    if (!plan) return files.map((file) => ({ file, name: file.name, rank: null, note: '', isSkipped: false }));
    const byId = new Map(files.map((file) => [file.id, file]));
    const places = plan.places.map(({ file_id, name, notes, heading }, index) => ({
      file: byId.get(file_id),
      name,
      rank: index + 1,
      note: notes[0] === undefined ? `Faces ${Math.round(heading)}°.` : sayMessage(notes[0]),
      isSkipped: false,
    }));
    const skipped = plan.skipped.map(({ file_id, file_name, reason }) => ({
      file: byId.get(file_id),
      name: file_name,
      rank: null,
      note: sayMessage(reason),
      isSkipped: true,
    }));
    return [...places, ...skipped].filter((row): row is TourRow => row.file !== undefined);
  }

  /** Summary of the plan, in a sentence or two. */
  get summary(): string {
    if (!this.plan) return '';
    const { places, skipped, order, positions } = this.plan;
    const left = skipped.length === 0 ? '' : ` ${skipped.length} skipped.`;
    return `${places.length} places, ${ORDERS[order]}.${left} ${POSITIONS[positions]}`;
  }

  /**
   * Creates the tour.
   * @returns ids of the space and its structure
   * @throws ApiError with messages for the fields
   */
  async create(
    files: readonly Media[],
    { name, path, ...endpoint }: NewStructure,
  ): Promise<{ roomId: number; endpointId: number }> {
    const { room_id, endpoint_id } = await this.#client.tours.create({
      body: { name, files: files.map(({ id }) => id), links: this.links, endpoint: { ...endpoint, path, name } },
      idempotencyKey: crypto.randomUUID(),
    });
    return { roomId: room_id!, endpointId: endpoint_id! };
  }
}
