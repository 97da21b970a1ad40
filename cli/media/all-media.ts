import type { Client } from '../../src/contract/client.ts';
import type { Media, MediaType } from '../../src/contract/entities.ts';

/** Every file of the media library, newest first. */
export async function allMedia(
  client: Client,
  { search, type }: { search?: string | undefined; type?: MediaType | undefined } = {},
): Promise<Media[]> {
  const filters = type && btoa(JSON.stringify([{ type }]));
  const all: Media[] = [];
  for (let page = 1; ; page++) {
    const { data, last_page } = await client.media.list({ query: { page, search, filters } });
    all.push(...data);
    if (page >= last_page) return all;
  }
}
