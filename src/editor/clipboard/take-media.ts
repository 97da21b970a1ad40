import type { Element } from '../../../engine/document/element.ts';
import type { FileReference } from '../../../engine/document/fields.ts';
import type { Client } from '../../contract/client.ts';
import type { Media } from '../../contract/entities.ts';
import { type Branch, type Clip, mapBranch } from '../session/copies.ts';

/** Most files that are asked for at once. */
const MAX_ASKED = 100;

/** Pages and models of several files have an address inside of a folder: that file alone is not the whole. */
const SEVERAL_FILES = new Set(['site', 'iframe']);

/** Ids of files that the organization does not have. Another installation counts its files by itself. */
async function unknownFiles(
  client: Client,
  files: ReadonlyMap<number, FileReference>,
  isFromHere: boolean,
): Promise<ReadonlySet<number>> {
  const ids = [...files.keys()];
  const unknown = new Set(ids);
  for (let start = 0; start < ids.length; start += MAX_ASKED) {
    const asked = ids.slice(start, start + MAX_ASKED).join(',');
    const { data } = await client.media.list({ query: { ids: asked } });
    for (const { id, url } of data) if (isFromHere || files.get(id)?.url === url) unknown.delete(id);
  }
  return unknown;
}

async function copyOf(client: Client, { url, name, type }: FileReference, origin: string): Promise<Media | null> {
  if (SEVERAL_FILES.has(type) || /\.gltf(?:[?#]|$)/i.test(url)) return null;
  const answer = await fetch(new URL(url, origin)).catch(() => null);
  if (!answer?.ok) return null;
  const file = new File([await answer.blob()], name);
  return client.media.upload({ body: {}, files: { file } }).catch(() => null);
}

function withFile(element: Element, copies: ReadonlyMap<number, Media | null>): Element {
  const copy = element.file_id === null ? undefined : copies.get(element.file_id);
  if (copy === undefined) return element;
  const file = copy && { ...element.file, id: copy.id, name: copy.name, type: copy.type, url: copy.url };
  return {
    ...element,
    file,
    file_id: copy?.id ?? null,
    config: { ...element.config, file_url: copy?.url ?? '' },
  } as Element;
}

/**
 * Elements whose files the organization has: those of another one are copied into its library.
 * @returns the elements, and the names of files that could not be copied and are left out
 */
export async function takeMedia(
  client: Client,
  { branches, origin }: Clip,
): Promise<{ branches: readonly Branch[]; lost: string[] }> {
  const files = new Map(
    branches
      .flatMap(({ top, inside }) => [top, ...inside])
      .flatMap(({ file_id, file }) => (file_id && file ? [[file_id, file]] : [])),
  );
  if (files.size === 0) return { branches, lost: [] };
  const from = origin ?? location.origin;
  const unknown = await unknownFiles(client, files, from === location.origin);
  const copies = new Map<number, Media | null>();
  for (const id of unknown) copies.set(id, await copyOf(client, files.get(id)!, from));
  const lost = [...unknown].filter((id) => !copies.get(id)).map((id) => files.get(id)!.name);
  const taken = branches.map((branch) => mapBranch(branch, (element) => withFile(element, copies)));
  return { branches: taken, lost };
}
