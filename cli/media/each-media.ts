import type { Client } from '../../src/contract/client.ts';
import type { Media, MediaType } from '../../src/contract/entities.ts';

/** Ids per request. */
const IDS_AT_ONCE = 100;

/** Iterates over the media library, newest first. */
export async function* eachMedia(
  client: Client,
  { search, type }: { search?: string | undefined; type?: MediaType | undefined },
): AsyncGenerator<Media> {
  const filters = type && btoa(JSON.stringify([{ type }]));
  for (let page = 1; ; page++) {
    const { data, last_page } = await client.media.list({ query: { page, search, filters } });
    yield* data;
    if (page >= last_page) return;
  }
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
