import { isRecord } from '../../../../engine/document/field-paths.ts';
import { ROOM_LINKS } from '../../../../engine/document/remap.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import { MEDIA_PREFIX, mediaUrl } from '../../core/files/media-url.ts';
import { findEndpointByPath } from '../endpoints/queries.ts';
import { findMediaByHash, type MediaRow } from '../media/queries.ts';
import { findTemplatesNamed } from '../templates/queries.ts';

type Json = Record<string, unknown>;

/**
 * Resolves a document's references in the target organization, because its ids come from the exporting
 * server. Files are matched by content, templates by name, structures by path.
 */
export class References {
  readonly #db: Database;
  readonly #organizationId: number;
  readonly #files = new Map<string, MediaRow[]>();

  constructor(db: Database, organizationId: number) {
    this.#db = db;
    this.#organizationId = organizationId;
  }

  /** Id of the file with the content of a URL such as /media/<hash>/name; null if the library has none. */
  async #fileAt(url: string, name: unknown): Promise<number | null> {
    const hash = new RegExp(`^${MEDIA_PREFIX}/([0-9a-f]{64})/`).exec(url)?.[1];
    if (!hash) return null;
    let rows = this.#files.get(hash);
    if (!rows) {
      rows = await findMediaByHash(this.#db, this.#organizationId, hash);
      this.#files.set(hash, rows);
    }
    // The library may have the same content under several names.
    const alike = rows.filter((row) => mediaUrl(row) === url);
    return (alike.find((row) => row.name === name) ?? alike[0] ?? rows[0])?.id ?? null;
  }

  /**
   * The local id of a file. A bare id refers to a file of this organization.
   * @param file the file in document format
   * @throws ApiError invalid with the field
   */
  async file(file: unknown, id: unknown, field: string): Promise<unknown> {
    if (!isRecord(file) || typeof file.url !== 'string') return id;
    const found = await this.#fileAt(file.url, file.name);
    if (found !== null) return found;
    throw new ApiError('invalid', {
      [field]: [
        `The file ${String(file.name ?? file.url)} is not in the media library. Upload it, or import a bundle.`,
      ],
    });
  }

  /** The local id of a template: by name if the document contains it. */
  async template(document: Json): Promise<number | null | undefined> {
    const name = isRecord(document.template) ? document.template.name : document.template_name;
    if (typeof name !== 'string') return document.template_id as number | null | undefined;
    const ids = await findTemplatesNamed(this.#db, this.#organizationId, name);
    const own = ids.length === 1 ? ids[0] : ids.find((id) => id === document.template_id);
    if (own !== undefined) return own;
    throw new ApiError('invalid', {
      template: [
        ids.length === 0
          ? `No template is named "${name}". Import it first.`
          : `Several templates are named "${name}". Rename all but one.`,
      ],
    });
  }

  /** A link to the structure at the same path in this organization; no link if there is none. */
  async link<T>(navigation: T): Promise<T> {
    if (!isRecord(navigation) || navigation.type !== 'space' || !isRecord(navigation.type_config)) return navigation;
    const path = String(navigation.type_config.endpoint_url ?? '');
    // Without a path, the id refers to a structure of this organization.
    if (path === '') return navigation;
    const found = await findEndpointByPath(this.#db, this.#organizationId, path.split('/').filter(Boolean));
    const endpoint = found?.endpoint.id ?? null;
    return { ...navigation, type_config: { ...navigation.type_config, endpoint } };
  }

  /** An element of a document without its children, with local ids. */
  async element(element: Json): Promise<Json> {
    const config = isRecord(element.config) ? element.config : {};
    const file_id = await this.file(element.file, element.file_id ?? null, 'file');
    const navigation = 'navigation' in config ? { navigation: await this.link(config.navigation) } : {};
    return { ...element, file_id, file: null, config: { ...config, ...navigation } };
  }

  /** Room settings with local ids. */
  async roomConfig(config: Json): Promise<Json> {
    const links: Json = {};
    for (const name of ROOM_LINKS) {
      const link = config[name];
      if (isRecord(link)) links[name] = { ...link, navigation: await this.link(link.navigation) };
    }
    if (!('realtime_file_id' in config) && !config.realtime_file) return { ...config, ...links };
    const id = await this.file(config.realtime_file, config.realtime_file_id ?? null, 'config.realtime_file_id');
    return { ...config, ...links, realtime_file: null, realtime_file_id: id };
  }
}
