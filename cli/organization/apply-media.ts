import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isSame } from '../../engine/document/field-paths.ts';
import type { Media } from '../../src/contract/entities.ts';
import type { Manifest } from '../bundles/bundle.ts';
import { findSources } from '../bundles/find-sources.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { uploadFile } from '../media/upload-file.ts';
import type { Change } from './compare.ts';
import { hashIn, noteHash } from './server-names.ts';
import { type Json, originalOf } from './snapshot.ts';
import { changesOf, noteDone, type Work } from './work.ts';

/** Ids of folders by path; none for the empty path. */
const folderIn = (work: Work, kind: 'folders' | 'media_folders', path: unknown): number | null =>
  work.ids[kind].get(String(path).toLowerCase()) ?? null;

/** The folder for rooms at a path. */
export const roomFolder = (work: Work, path: unknown): number | null => folderIn(work, 'folders', path);

/** Adds missing folders, parents first. */
export async function addFolders(work: Work, kind: 'folders' | 'media_folders'): Promise<void> {
  const { client } = work.connection;
  const area = kind === 'folders' ? 'folders' : 'mediaFolders';
  const levels = (name: string) => name.split('/').length;
  const missing = changesOf(work, kind, 'create').toSorted((a, b) => levels(a.name) - levels(b.name));
  for (const { name: path, to } of missing) {
    const names = path.split('/');
    const parent_id = folderIn(work, kind, names.slice(0, -1).join('/'));
    const { id, name } = await client[area].create({ body: { name: names.at(-1)!, parent_id } });
    await work.undo.add({ do: 'remove', what: area, id, name });
    work.ids[kind].set(to!.key, id);
  }
  noteDone(work, missing.length, 'folder');
}

/** Texts that have translations of their own. */
const TRANSLATED = ['title', 'description', 'alt', 'long_description', 'transcript'] as const;

type Translations = Record<string, Partial<Record<string, { text: string }>>>;

/** The texts of each language; an empty text removes a translation. */
function textsByLanguage(
  before: Translations,
  after: Translations,
): [language: string, texts: Record<string, string>][] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((language) => {
    const changed = TRANSLATED.flatMap((name): [string, string][] => {
      const [was, is] = [before[language]?.[name]?.text ?? '', after[language]?.[name]?.text ?? ''];
      return was === is ? [] : [[name, is]];
    });
    return changed.length > 0 ? [[language, Object.fromEntries(changed)]] : [];
  });
}

const NO_TEXTS: Json = { translations: {} };

/** Sets texts and folder of a file as in the export. @param before its document on the server; null for a new file */
async function describeFile(work: Work, id: number, before: Json | null, after: Json): Promise<void> {
  const { client } = work.connection;
  const { hash: _hash, type: _type, original: _original, translations, folder, ...texts } = after;
  const folder_id = folderIn(work, 'media_folders', folder);
  await client.media.update({ params: { id }, body: { ...texts, folder_id } });
  if (before) {
    const { hash: _is, type: _kind, original: _upload, translations: _all, folder: place, ...old } = before;
    const body = { ...old, folder_id: folderIn(work, 'media_folders', place) };
    await work.undo.add({ do: 'write', what: 'media', id, name: String(before.name), body });
  }
  const [had, has] = [(before ?? NO_TEXTS).translations, translations ?? {}] as [Translations, Translations];
  const name = String(after.name);
  for (const [language, changed] of textsByLanguage(had, has)) {
    await client.media.translate({ params: { id }, body: { language, texts: changed } });
    const [[, earlier] = [language, {}]] = textsByLanguage(
      { [language]: has[language] ?? {} },
      { [language]: had[language] ?? {} },
    );
    if (before) await work.undo.add({ do: 'translate_media', id, name, language, texts: earlier });
  }
}

/** Whether the server has read all texts from the file itself. */
function isDescribed(work: Work, media: Media, document: Json): boolean {
  const { hash: _hash, type: _type, original: _original, translations, folder, ...texts } = document;
  const stored: Json = { transcript: '', ...media };
  return (
    Object.keys(translations ?? {}).length === 0 &&
    folderIn(work, 'media_folders', folder) === media.folder_id &&
    Object.entries(texts).every(([name, text]) => isSame(stored[name], text))
  );
}

/** Files that are uploaded at the same time: the server checks each in a process of its own. */
const AT_ONCE = 3;

/** Uploads a file of the export. @param path where it is unpacked meanwhile */
async function addFile(work: Work, path: string, { to }: Change): Promise<void> {
  const { connection, archive, server } = work;
  const document = await to!.read();
  const [hash, name] = [String(document.hash), String(document.name)];
  const original = originalOf(document);
  await pipeline(await (original ? archive.original(original.hash) : archive.content(hash)), createWriteStream(path));
  const upload = { path, bytes: (await stat(path)).size, name: original?.name ?? name };
  const media: Media = await uploadFile(connection.client, upload, { quiet: work.isQuiet });
  await rm(path);
  // An equal file that was there before stays when the import is undone.
  const newest = Math.max(0, ...server.entries.media.map(({ id = 0 }) => id));
  if (media.id > newest) await work.undo.add({ do: 'remove', what: 'media', id: media.id, name });
  const local = hashIn(media.url);
  await noteHash(connection, server.hashes, media);
  if (server.hashes.portable(local) !== hash) {
    work.remarks.push(`The server stores the file "${name}" in another form, so that comparisons list it.`);
    server.hashes.set(local, hash);
  }
  work.ids.media.set(to!.key, media.id);
  if (!isDescribed(work, media, document)) await describeFile(work, media.id, null, document);
}

/** Adds missing media files, and sets the texts and folders of all. */
export async function applyMedia(work: Work): Promise<void> {
  const missing = changesOf(work, 'media', 'create');
  const folder = temporaryFolder();
  const left = missing.values();
  const uploads = Array.from({ length: AT_ONCE }, async (_, at) => {
    for (const change of left) await addFile(work, join(folder, String(at)), change);
  });
  const failed = (await Promise.allSettled(uploads)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  for (const { from, to, name, fields } of changesOf(work, 'media', 'update')) {
    if (fields.some((field) => field.startsWith('original')))
      work.remarks.push(`The original upload of "${name}" is not replaced: the server has the file already.`);
    await describeFile(work, from!.id!, await from!.read(), await to!.read());
    work.ids.media.set(to!.key, from!.id!);
  }
  noteDone(work, missing.length, 'file');
}

/** Adds missing feeds and live streams, without credentials, and sets the moderation of feeds. */
export async function applySources(work: Work): Promise<void> {
  const { connection, remarks, undo, ids } = work;
  const { client } = connection;
  const none = { feeds: [], live_streams: [] };
  for (const kind of ['feeds', 'live_streams'] as const) {
    const missing = changesOf(work, kind, 'create');
    for (const { to } of missing) {
      const document = await to!.read();
      const { moderation: _, ...entry } = document;
      const manifest = { ...none, [kind]: [entry] } as Pick<Manifest, 'feeds' | 'live_streams'>;
      const added: { kind: 'feed' | 'live stream'; id: number; name: string }[] = [];
      const found = await findSources(client, manifest, added);
      remarks.push(...found.notes.filter((note) => !note.startsWith('Added ')));
      for (const { id, name } of added)
        await undo.add({ do: 'remove', what: kind === 'feeds' ? 'feeds' : 'liveStreams', id, name });
      const [id = null] = found[kind];
      if (id === null) continue;
      ids[kind].set(to!.key, id);
      if (kind === 'feeds' && document.type === 'local')
        await client.feeds.update({ params: { id }, body: { moderation: document.moderation as object } });
    }
    noteDone(work, missing.length, kind === 'feeds' ? 'feed' : 'live stream');
  }
  const bodyOf = ({ type, feed_url, moderation }: Json): Json => ({
    ...(type === 'picdrop' && { config: { feed_url } }),
    ...(type === 'local' && { moderation }),
  });
  for (const { from, to, name } of changesOf(work, 'feeds', 'update')) {
    const id = from!.id!;
    const { updated_at } = await client.feeds.update({ params: { id }, body: bodyOf(await to!.read()) });
    await undo.add({ do: 'write', what: 'feeds', id, name, body: { ...bodyOf(await from!.read()), updated_at } });
  }
  for (const { name } of changesOf(work, 'live_streams', 'update'))
    remarks.push(`The live stream "${name}" has another encoder. Change it on its platform.`);
}
