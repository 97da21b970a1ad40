import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { isRecord } from '../../engine/document/field-paths.ts';
import type { NestedRoom, Room } from '../../engine/document/room.ts';
import { calls } from '../../src/contract/calls.ts';
import type { Media } from '../../src/contract/entities.ts';
import type { Connection } from '../connection.ts';
import { wrongError } from '../failure.ts';
import { HashStream } from '../io/hash-stream.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { jsonText } from '../io/write-output.ts';
import { eachMedia } from '../media/each-media.ts';
import { notifyNotes } from '../report/notes.ts';
import { withoutKeys } from '../rooms/read-document.ts';
import { BUNDLE_VERSION, MANIFEST, type Manifest, MEDIA_ADDRESS, mediaPath, placeholderOf, ROOM } from './bundle.ts';
import { renumbered } from './renumber.ts';
import { collectSources, type Sources, withSources } from './sources.ts';

/** Constant archive options, so that the same room produces the same bundle. */
const OPTIONS = { mtime: new Date(1980, 0, 1), mode: 0o100644, compress: false, forceDosTimestamp: true };

/** Fields of a file that are derived from its content or storage location. */
const DERIVED = new Set(['width', 'height', 'duration']);
/** A document without server-specific values. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutIds(entry));
  if (!isRecord(value)) return value;
  const isFile = typeof value.url === 'string' && typeof value.type === 'string' && 'name' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(isFile && DERIVED.has(key)))
      .map(([key, entry]) => {
        if (isFile && key === 'id') return [key, 1];
        if (/(^|_)file_id$/.test(key) || (key === 'endpoint' && 'endpoint_url' in value)) return [key, null];
        // The URL of a live stream's image is derived from the live stream.
        if ((key === 'id' || key === 'src') && typeof value.live_stream_id === 'number') return [key, ''];
        return [key, withoutIds(entry)];
      }),
  );
}

/** A room with local ids, identical for every copy of it. */
function localRoom(room: Room, { places }: Sources): unknown {
  const template = room.template && { ...room.template, id: 1 };
  const named = withSources(renumbered(room, 1), (kind, id) => places[kind].get(id) ?? null) as NestedRoom;
  return withoutIds({ ...named, id: 1, template_id: null, template, elements: withoutKeys(named.elements) });
}

/** A media file that is cached while the bundle is written. */
interface Kept {
  file: string;
  path: string;
  bytes: number;
}

async function fetchMedia({ download }: Connection, { id }: Media, file: string): Promise<Kept> {
  const count = new HashStream();
  await pipeline(Readable.from(await download(calls.media.content, { id })), count, createWriteStream(file));
  return { file, path: mediaPath(count.sha256), bytes: count.bytes };
}

/**
 * Packs a room with its template, every file that it refers to, and the names of its feeds and live streams. Media are
 * stored once per content, and ids are local to the bundle, so export, import and re-export give identical bytes.
 * @returns the archive as a stream
 */
export async function writeBundle(connection: Connection, room: Room): Promise<Readable> {
  const sources = await collectSources(connection.client, room);
  notifyNotes(sources.notes, false);
  const text = jsonText(localRoom(room, sources));
  const addresses = [...new Set(text.match(MEDIA_ADDRESS) ?? [])];
  const library = new Map<string, Media>();
  for await (const file of eachMedia(connection.client, {})) {
    if (library.size === addresses.length) break;
    if (addresses.includes(file.url)) library.set(file.url, file);
  }
  const folder = temporaryFolder();
  const kept = new Map<string, Kept & { name: string; type: string }>();
  for (const [index, address] of addresses.entries()) {
    const media = library.get(address);
    if (!media)
      throw wrongError(
        `The room refers to a missing file: ${address}.`,
        'Remove the reference, or upload the file again.',
      );
    const { name, type } = media;
    kept.set(address, { ...(await fetchMedia(connection, media, join(folder, String(index)))), name, type });
  }
  const document = text.replace(MEDIA_ADDRESS, (address) => {
    const { path, name } = kept.get(address)!;
    return placeholderOf(path, name);
  });
  const byPath = new Map([...kept.values()].map((file) => [`${file.path} ${file.name}`, file]));
  const media = [...byPath.values()]
    .map(({ path, name, type, bytes }): Manifest['media'][number] => ({ path, name, type, bytes }))
    .toSorted((a, b) => (`${a.path} ${a.name}` < `${b.path} ${b.name}` ? -1 : 1));
  const zip = new ZipFile();
  const { feeds, live_streams } = sources;
  const manifest: Manifest = { format: 'enfilade-bundle', version: BUNDLE_VERSION, media, feeds, live_streams };
  zip.addBuffer(Buffer.from(jsonText(manifest)), MANIFEST, OPTIONS);
  zip.addBuffer(Buffer.from(document), ROOM, OPTIONS);
  const contents = new Map([...kept.values()].map(({ path, file }) => [path, file]));
  for (const path of [...contents.keys()].toSorted())
    zip.addReadStreamLazy(path, OPTIONS, (done) => done(null, createReadStream(contents.get(path)!)));
  zip.end();
  return zip.outputStream as Readable;
}
