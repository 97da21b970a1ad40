import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { templateSchema } from '../../engine/document/template.ts';
import { calls } from '../../src/contract/calls.ts';
import { mediaTextsSchema, type OwnEndpointField } from '../../src/contract/entities.ts';
import { asCliError } from '../as-cli-error.ts';
import type { Connection } from '../connection.ts';
import { allEndpoints, type PlacedEndpoint } from '../endpoints/find-endpoint.ts';
import { CliError, EXIT, wrongError } from '../failure.ts';
import { allFolders } from '../folders/find-folder.ts';
import { eachMedia } from '../media/each-media.ts';
import { allPages } from '../report/pages.ts';
import { readDocument } from '../rooms/read-document.ts';
import { KINDS, type Kind, NOUNS } from './format.ts';
import { type Names, type Nested, portableBlock, portableRoom, portableTemplate, withPaths } from './portable.ts';
import { Hashes, hashIn, noteHash, pick, ViewPoints } from './server-names.ts';
import { aboutOf, byKey, entryOf, type Json, noEntries, sorted, sourceKey, type WithContents } from './snapshot.ts';

/** An organization on a server, with ids by names. */
export interface ServerSnapshot extends WithContents {
  hashes: Hashes;
  structures: ReadonlyMap<string, PlacedEndpoint>;
  /** What needs attention. */
  remarks: string[];
}

const ENDPOINT_FIELDS = Object.keys({
  ...{ path: true, name: true, is_visible: true, is_timed: true, show_countdown: true, start_date: true },
  ...{ start_time: true, start_time_utc_offset: true, time_zone: true, is_protected: true },
  ...{ access_token_duration: true, shows: true, accent_color: true, kiosk_seconds: true, translations: true },
} satisfies Record<OwnEndpointField | 'path' | 'translations', true>) as (OwnEndpointField | 'path' | 'translations')[];

/** Settings of an organization that are no references. */
const SETTINGS = [
  ...(['name', 'meta_title', 'meta_description', 'lists_rooms', 'font_color', 'accent_color', 'texts'] as const),
  ...(['time_zone', 'audit_days', 'shares_days', 'originals_megabytes', 'has_statistics'] as const),
  ...(['has_statistics_poses', 'third_parties', 'tag_manager_id', 'statement'] as const),
];

async function allOf<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

const pathsOf = (folders: readonly { id: number; path: string }[]) =>
  new Map(folders.map(({ id, path }) => [id, path]));

class Reader {
  readonly #connection: Connection;
  readonly #kinds: ReadonlySet<Kind>;
  readonly #entries = noEntries();
  readonly #hashes = new Hashes();
  /** Media by the hash of their content. */
  readonly #contents = new Map<string, { id: number; name: string }>();

  /** IDs of media by the hash of their original upload. */
  readonly #originals = new Map<string, number>();
  readonly #hasOriginals: boolean;

  constructor(connection: Connection, kinds: ReadonlySet<Kind>, hasOriginals: boolean) {
    this.#connection = connection;
    this.#hasOriginals = hasOriginals;
    this.#kinds = kinds;
  }

  /** Reads entries of a kind, unless they are not wanted. Without the right to see them, the error names the kind. */
  async #each<T>(kind: Kind, read: () => Promise<T[]>): Promise<T[]> {
    if (!this.#kinds.has(kind)) return [];
    try {
      return await read();
    } catch (error) {
      const known = asCliError(error);
      if (known?.code !== 'forbidden') throw error;
      const what = kind === 'settings' || kind === 'tokens' ? NOUNS[kind] : `${NOUNS[kind]}s`;
      throw new CliError('forbidden', EXIT.server, {
        message: `You don't have permission to see the ${what} of the organization.`,
        suggestion: 'Use the key of a user with this right, or leave them out with --skip.',
      });
    }
  }

  #add(kind: Kind, document: Json, id?: number): void {
    const about = aboutOf(kind, document);
    this.#entries[kind].push(entryOf({ ...about, ...(id !== undefined && { id }) }, document));
  }

  async #media(): Promise<void> {
    const { client } = this.#connection;
    const folders = await this.#each('media_folders', () => allFolders(client, 'mediaFolders'));
    for (const { path, id } of folders) this.#add('media_folders', { path }, id);
    const paths = pathsOf(folders);
    const files = await this.#each('media', () =>
      allOf(eachMedia(client, { sort: 'created' }, { hasTranscripts: true })),
    );
    for (const file of files) {
      await noteHash(this.#connection, this.#hashes, file);
      const hash = this.#hashes.portable(hashIn(file.url));
      if (!this.#contents.has(hash)) this.#contents.set(hash, file);
      const texts = pick(file, Object.keys(mediaTextsSchema.shape) as (keyof typeof mediaTextsSchema.shape)[]);
      const { name, type, translations } = file;
      const folder = paths.get(file.folder_id ?? 0) ?? '';
      if (file.original) this.#originals.set(file.original.hash, file.id);
      const original = file.original && pick(file.original, ['name', 'hash']);
      this.#add(
        'media',
        {
          hash,
          name,
          type,
          folder,
          ...texts,
          transcript: file.transcript ?? '',
          translations,
          ...(this.#hasOriginals && { original }),
        },
        file.id,
      );
    }
  }

  async #sources(): Promise<Pick<Names, 'feeds' | 'live_streams'>> {
    const { client } = this.#connection;
    const feeds = await this.#each('feeds', () => allPages((query) => client.feeds.list({ query })));
    for (const { id, name, type, config, moderation } of feeds)
      this.#add('feeds', { name, type, feed_url: config.feed_url, moderation }, id);
    const streams = await this.#each('live_streams', () => allPages((query) => client.liveStreams.list({ query })));
    for (const { id, name, type, encoder } of streams) this.#add('live_streams', { name, type, encoder }, id);
    return {
      feeds: new Map(feeds.map((feed) => [feed.id, sourceKey(feed)])),
      live_streams: new Map(streams.map((stream) => [stream.id, sourceKey(stream)])),
    };
  }

  /** Templates, blocks and rooms. @returns the room entries by id */
  async #documents(
    names: Names,
    viewPoints: ViewPoints,
    pathOf: (id: number) => string | undefined,
  ): Promise<{ rooms: Map<number, Json>; folders: Map<number, string> }> {
    const { client } = this.#connection;
    const templates = await this.#each('templates', () => allPages((query) => client.templates.list({ query })));
    const fields = Object.keys(templateSchema.shape) as (keyof typeof templateSchema.shape)[];
    for (const template of templates)
      this.#add('templates', this.#hashes.toPortable(portableTemplate(pick(template, fields), names)), template.id);
    const blocks = await this.#each('blocks', () => allPages((query) => client.blocks.list({ query })));
    const named = { ...names, blocks: new Map(blocks.map(({ id, name }) => [id, name])) };
    for (const { id, name } of blocks) {
      const { element } = await client.blocks.read({ params: { id } });
      const linked = withPaths(element as Nested, pathOf);
      await viewPoints.load(linked);
      const portable = portableBlock(linked, named);
      this.#add('blocks', this.#hashes.toPortable({ name, element: portable }), id);
    }
    const folders = await this.#each('folders', () => allFolders(client));
    for (const { path, id } of folders) this.#add('folders', { path }, id);
    const paths = pathsOf(folders);
    const rooms = new Map<number, Json>();
    const rows = await this.#each('rooms', () => allPages((query) => client.rooms.list({ query })));
    for (const { id, name, title, folder_id } of rows) {
      const folder = paths.get(folder_id ?? 0) ?? '';
      rooms.set(id, { name: name || title, folder });
      this.#entries.rooms.push({
        ...aboutOf('rooms', { name: name || title, folder }),
        id,
        read: async () => {
          const document = withPaths((await readDocument(client, id)) as Json, pathOf);
          await viewPoints.load(document);
          return sorted(this.#hashes.toPortable(portableRoom(document, folder, named)));
        },
      });
    }
    return { rooms, folders: paths };
  }

  async #settings(): Promise<void> {
    const { client } = this.#connection;
    const [organization] = await this.#each('settings', async () => [await client.organizations.read()]);
    if (!organization) return;
    const templates = new Map(this.#entries.templates.map(({ id, name }) => [id, name]));
    const { url } = await client.translationWebhook.read();
    const file = (reference: { name: string; type: string; url: string } | null) =>
      reference && pick(reference, ['name', 'type', 'url']);
    this.#add(
      'settings',
      this.#hashes.toPortable({
        ...pick(organization, SETTINGS),
        embed_domains: organization.embed_domains.map(({ domain }) => domain),
        template: organization.template_id === null ? null : (templates.get(organization.template_id) ?? null),
        font_file: file(organization.font_file),
        logo_file: file(organization.logo_file),
        translation_webhook: url,
      }),
    );
  }

  async #people(folders: ReadonlyMap<number, string>, structures: readonly PlacedEndpoint[]): Promise<void> {
    const { client } = this.#connection;
    const paths = pathsOf(structures);
    const users = await this.#each('users', () => allPages((query) => client.users.list({ query })));
    for (const { id, email, name, is_active, policies, limits } of users) {
      const places = limits && {
        folders: limits.folder_ids.flatMap((each) => folders.get(each) ?? []).toSorted(),
        structures: limits.endpoint_ids.flatMap((each) => paths.get(each) ?? []).toSorted(),
      };
      this.#add('users', { email, name, is_active, policies, limits: places }, id);
    }
    const webhooks = await this.#each('webhooks', () => client.webhooks.list());
    for (const { id, name, url, events, is_paused } of webhooks)
      this.#add('webhooks', { name, url, events: events.toSorted(), is_paused }, id);
  }

  async #tokens(structures: readonly PlacedEndpoint[]): Promise<void> {
    const { download } = this.#connection;
    if (!this.#kinds.has('tokens')) return;
    for (const { id, path, access_tokens_count } of structures) {
      if (access_tokens_count === 0) continue;
      const read = async () => {
        const content = await this.#each('tokens', async () => [
          await textOf(Readable.from(await download(calls.endpoints.exportTokens, { id }, { format: 'json' }))),
        ]);
        const tokens = (JSON.parse(content[0]!) as { token: string }[]).toSorted((a, b) =>
          a.token < b.token ? -1 : 1,
        );
        return sorted({ path, tokens }) as Json;
      };
      this.#entries.tokens.push({ ...aboutOf('tokens', { path }), id, read });
    }
  }

  async read(): Promise<ServerSnapshot> {
    const { client, origin, download } = this.#connection;
    const { organization, limits } = await client.users.active();
    await this.#media();
    const sources = await this.#sources();
    const structures = await this.#each('endpoints', () => allEndpoints(client));
    const byPath = new Map(structures.map((structure) => [structure.path, structure]));
    const paths = pathsOf(structures);
    const viewPoints = new ViewPoints(this.#connection, byPath);
    const names: Names = { ...sources, blocks: new Map(), viewPoint: viewPoints.positionOf };
    const { rooms, folders } = await this.#documents(names, viewPoints, (id) => paths.get(id));
    for (const structure of structures) {
      const shown = rooms.get(structure.room_id ?? 0);
      const fields = pick(structure, ENDPOINT_FIELDS);
      if (structure.time_zone !== null) delete fields.start_time_utc_offset;
      this.#add('endpoints', { ...fields, room: shown?.name ?? null, room_folder: shown?.folder ?? '' }, structure.id);
    }
    await this.#settings();
    await this.#people(folders, structures);
    await this.#tokens(structures);
    for (const kind of KINDS) if (kind !== 'endpoints') this.#entries[kind].sort(byKey);
    return {
      name: `${organization.name} at ${origin}`,
      kinds: this.#kinds,
      hasOriginals: this.#hasOriginals,
      original: async (hash) => Readable.from(await download(calls.media.original, { id: this.#originals.get(hash)! })),
      entries: this.#entries,
      hashes: this.#hashes,
      structures: byPath,
      remarks: limits === null ? [] : ['You see only some folders and structures of the organization.'],
      content: async (hash) => {
        const { id, name } = this.#contents.get(hash)!;
        const content = await download(calls.media.content, { id }).catch((error: unknown) => {
          if (asCliError(error)?.code !== 'not_found') throw error;
          throw wrongError(
            `The file "${name}" (ID ${id}) is missing on the server.`,
            'Replace or remove it, and try again.',
          );
        });
        return Readable.from(content);
      },
    };
  }
}

/**
 * Reads the organization of a connection. Lists are in memory; rooms and access tokens are read one at a time.
 * @throws CliError naming the kind that the caller may not see
 */
export const readServer = (
  connection: Connection,
  kinds: ReadonlySet<Kind>,
  hasOriginals: boolean,
): Promise<ServerSnapshot> => new Reader(connection, kinds, hasOriginals).read();
