import type { Client } from '../../contract/client.ts';
import { MAX_CHANGED_MEDIA, type Media } from '../../contract/entities.ts';
import { MEDIA_KINDS, thumbnailOf } from '../../ui/media/media-kinds.ts';
import { MEDIA_FILTER_NAMES, mediaQueryOf } from '../../ui/media/media-query.ts';
import { sizeText } from '../../ui/media/size-text.ts';
import { isShortened } from '../../ui/media/whole-media.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import type { Resource } from '../frame/resource.ts';
import type { BulkProgress } from '../stores/bulk.ts';
import { countText, ListStore } from '../stores/list-store.ts';
import classes from './media.module.css';

/** A change of one file. */
export type MediaChange = Parameters<Client['media']['updateMany']>[0]['body']['files'][number];

/** Files per page, and per page while all that match are selected. */
const PER_PAGE = { list: 50, selection: 100 };

/** Maximum selected files. */
const MAX_SELECTED = 10_000;

/** The files of the media library. */
export class MediaFilesStore extends ListStore<Media> {
  readonly #client: Client;
  /** Files as last listed, by id, for undo. */
  readonly #seen = new Map<number, Media>();

  constructor(client: Client, onList: (files: readonly Media[]) => void) {
    super({
      list: async ({ search, page = 1, per_page = PER_PAGE.list, filters = {} }, signal) => {
        const query = { ...mediaQueryOf(filters), page, per_page, ...(search && { search }) };
        const { data, last_page, total } = await client.media.list({ query, signal });
        for (const file of data) this.#seen.set(file.id, file);
        onList(data);
        return { data, meta: { total, page, last_page } };
      },
      selects: { max: MAX_SELECTED, per_page: PER_PAGE.selection },
      bulk: { client, action: 'media.remove', nouns: 'files' },
    });
    this.#client = client;
  }

  /** Files as last listed. */
  filesOf(ids: readonly number[]): Media[] {
    return ids.flatMap((id) => this.#seen.get(id) ?? []);
  }

  /** Files as last listed, with their transcripts. @throws ApiError */
  async wholeFilesOf(ids: readonly number[]): Promise<Media[]> {
    const shortened = this.filesOf(ids).filter(isShortened);
    for (let start = 0; start < shortened.length; start += PER_PAGE.selection) {
      const some = shortened.slice(start, start + PER_PAGE.selection).map(({ id }) => id);
      const { data } = await this.#client.media.list({ query: { ids: some.join(','), transcripts: '1' } });
      for (const file of data) this.#seen.set(file.id, file);
    }
    return this.filesOf(ids);
  }

  /** Changes files in several calls. @returns the changed files @throws ApiError; earlier calls remain */
  async #send(changes: readonly MediaChange[], onProgress?: (progress: BulkProgress) => void): Promise<void> {
    for (let start = 0; start < changes.length; start += MAX_CHANGED_MEDIA) {
      onProgress?.({ finished: start, total: changes.length });
      const files = changes.slice(start, start + MAX_CHANGED_MEDIA);
      for (const file of await this.#client.media.updateMany({ body: { files } })) this.#seen.set(file.id, file);
    }
  }

  /** Moves files to a folder. */
  async move(ids: readonly number[], folder_id: number | null, onProgress?: (progress: BulkProgress) => void) {
    await this.#send(
      ids.map((id) => ({ id, folder_id })),
      onProgress,
    );
    return { changed: ids, problems: [] };
  }

  /** Changes texts and keywords of files, and offers to undo it. @throws ApiError */
  async change(changes: readonly MediaChange[], onProgress?: (progress: BulkProgress) => void): Promise<void> {
    if (changes.length === 0) return;
    const before = this.filesOf(changes.map(({ id }) => id));
    await this.#send(changes, onProgress);
    await this.load();
    const inverse = new Map(changes.map((change) => [change.id, change]));
    const undo = async () => {
      await this.#send(before.map((file) => inverseOf(file, inverse.get(file.id)!)));
      await this.load();
    };
    showNotification(`${countText(changes.length, 'files')} changed.`, {
      label: 'Undo',
      act: () => void undo().catch(showProblem),
    });
  }
}

/** The change that undoes another one. @param before the file before it */
function inverseOf(
  before: Media,
  { id, add_keywords = [], remove_keywords = [], ...fields }: MediaChange,
): MediaChange {
  const old = Object.fromEntries(Object.keys(fields).map((name) => [name, before[name as keyof Media]]));
  return {
    ...old,
    id,
    add_keywords: remove_keywords.filter((word) => before.keywords.includes(word)),
    remove_keywords: add_keywords.filter((word) => !before.keywords.includes(word)),
  };
}

/** Width of the picture in the table in CSS pixels. */
const LEAD = 64;

export const MEDIA: Resource<Media> = {
  title: 'Media',
  noun: 'file',
  nouns: 'files',
  area: 'media',
  path: '/admin/media',
  addPath: null,
  empty: 'There are no files yet. Drop files here, or press Upload.',
  nameOf: ({ name }) => name,
  filters: MEDIA_FILTER_NAMES,
  place: 'folder',
  usual: '-created',
  hidden: ['creator', 'keywords'],
  lead: ({ type, url }) =>
    type === 'image' ? (
      <img {...thumbnailOf(url, LEAD)} alt="" loading="lazy" decoding="async" className={classes.lead} />
    ) : (
      <span className={classes.lead}>{MEDIA_KINDS[type].label.replace(/s$/, '')}</span>
    ),
  columns: [
    { id: 'title', label: 'Title', cell: ({ title }) => title },
    { id: 'creator', label: 'Creator', cell: ({ creator }) => creator },
    { id: 'keywords', label: 'Keywords', cell: ({ keywords }) => keywords.join(', ') },
    {
      id: 'dimensions',
      label: 'Dimensions',
      cell: ({ width, height }) => (width && height ? `${width}×${height}` : ''),
    },
    { id: 'size', label: 'Size', order: '-bytes', cell: ({ bytes }) => sizeText(bytes) },
    { id: 'uploaded', label: 'Uploaded', order: '-created', cell: ({ created_at }) => momentText(created_at) },
  ],
};
