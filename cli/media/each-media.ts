import type { Client } from '../../src/contract/client.ts';
import type { Media, MediaType } from '../../src/contract/entities.ts';
import { usageError, wrongError } from '../failure.ts';
import { folderIdOf } from '../folders/find-folder.ts';
import type { MediaOrder } from '../words.ts';

/** Ids, and files, per request. */
const IDS_AT_ONCE = 100;

/** Which files to list. */
export interface MediaSearch {
  search?: string;
  type?: MediaType;
  /** Path or id of a folder; `/` for none. */
  folder?: string;
  keyword?: string;
  used?: boolean;
  unused?: boolean;
  withoutAlt?: boolean;
  duplicates?: boolean;
  sort?: MediaOrder;
}

/** Iterates over the media library, newest first by default. @param hasTranscripts whether the files contain them */
export async function* eachMedia(
  client: Client,
  options: MediaSearch,
  { hasTranscripts = false } = {},
): AsyncGenerator<Media> {
  const { search, type, folder, keyword, used, unused, withoutAlt, duplicates, sort } = options;
  const query = {
    ...(search !== undefined && { search }),
    ...(type && { filters: btoa(JSON.stringify([{ type }])) }),
    ...(folder !== undefined && { folder_id: (await folderIdOf(client, folder, 'mediaFolders')) ?? 0 }),
    ...(keyword !== undefined && { keyword }),
    ...((used || unused) && { used: used ? ('1' as const) : ('0' as const) }),
    ...(withoutAlt && { without_alt: '1' as const }),
    ...(duplicates && { duplicates: '1' as const }),
    ...(sort && { sort }),
    ...(hasTranscripts && { transcripts: '1' as const }),
  };
  for (let page = 1; ; page++) {
    const { data, last_page } = await client.media.list({ query: { ...query, page, per_page: IDS_AT_ONCE } });
    yield* data;
    if (page >= last_page) return;
  }
}

/** The id of a file. @throws CliError for any other text */
export function mediaIdOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw usageError(`Invalid ID: "${text}".`, 'Run enfilade media list to list IDs.');
  return Number(text);
}

/** The existing files with these ids, by id. */
export async function mediaWithIds(client: Client, ids: readonly number[]): Promise<Map<number, Media>> {
  const found = new Map<number, Media>();
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = ids.slice(start, start + IDS_AT_ONCE).join(',');
    for (const media of (await client.media.list({ query: { ids: some } })).data) found.set(media.id, media);
  }
  return found;
}

/** The files with these ids, each once, in the given order. @throws CliError if an id is invalid, or a file missing */
export async function filesWithIds(client: Client, ids: readonly string[]): Promise<Media[]> {
  const wanted = [...new Set(ids.map(mediaIdOf))];
  const found = await mediaWithIds(client, wanted);
  return wanted.map((id) => {
    const media = found.get(id);
    if (media) return media;
    throw wrongError(`File ${id} not found.`, 'Run enfilade media list to list IDs.');
  });
}
