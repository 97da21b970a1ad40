import { crc32, deflateSync } from 'node:zlib';
import { type Reply, type Seen, StandIn } from './stand-in.ts';

interface Size {
  width: number;
  height: number;
}

/** What an image service offers, besides its size. */
interface Service extends Size {
  level: 0 | 1 | 2;
  version: 2 | 3;
  /** Further properties of its `info.json`, such as sizes, tiles and maxWidth. */
  more?: Record<string, unknown>;
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG image in one shade of gray, made without waiting. */
function grayImage({ width, height }: Size, shade: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits of gray.
  head.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.alloc(width + 1, shade);
  row[0] = 0;
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * A IIIF server: documents by path, images by name, and image services of Image API 2 and 3. It rejects sizes that the
 * level of a service doesn't have.
 */
export class IiifServer extends StandIn {
  readonly #files = new Map<string, { type: string; content: string | Buffer; headers?: Record<string, string> }>();
  readonly #services = new Map<string, Service>();
  /** Sizes of images by path. */
  readonly #images = new Map<string, Size>();

  /** Adds a document under its own address. */
  add(document: Record<string, unknown>): string {
    const address = String(document.id ?? document['@id']);
    return this.put(new URL(address).pathname, JSON.stringify(document), 'application/ld+json');
  }

  put(path: string, content: string | Buffer, type: string, headers: Record<string, string> = {}): string {
    this.#files.set(path, { type, content, headers });
    return this.url + path;
  }

  /** Adds an image of a size. */
  image(path: string, size: Size): void {
    this.#images.set(path, size);
  }

  /** Adds an image service. */
  service(name: string, service: Service): void {
    this.#services.set(`/service/${name}`, service);
  }

  protected override error(status: number): Reply {
    return { status };
  }

  #png(path: string, size: Size): Reply {
    const shade = [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 251, 7);
    return { headers: { 'content-type': 'image/png' }, json: grayImage(size, shade) };
  }

  #info(address: string, { level, version, width, height, more }: Service): Reply {
    const profile = `http://iiif.io/api/image/2/level${level}.json`;
    const facts =
      version === 3
        ? {
            '@context': 'http://iiif.io/api/image/3/context.json',
            id: address,
            type: 'ImageService3',
            profile: `level${level}`,
          }
        : {
            '@context': 'http://iiif.io/api/image/2/context.json',
            '@id': address,
            profile: [profile, { formats: ['jpg'] }],
          };
    return { json: { ...facts, protocol: 'http://iiif.io/api/image', width, height, ...more } };
  }

  /** An image of a service. Level 0 has only the sizes that it lists; all have their limits. */
  #ofService(path: string, name: string, service: Service): Reply {
    const rest = path.slice(name.length);
    if (rest === '/info.json') return this.#info(this.url + name, service);
    const { width, height, level, version, more = {} } = service;
    const size = /^\/full\/([^/]+)\/0\/default\.jpg$/.exec(rest)?.[1];
    const [across, up] = (size ?? '').split(',').map(Number);
    const isWhole = size === (version === 3 ? 'max' : 'full');
    const found = isWhole
      ? { width, height }
      : across
        ? { width: across, height: up || Math.round((across / width) * height) }
        : undefined;
    const maxWidth = (more.maxWidth as number | undefined) ?? Infinity;
    if (!found || found.width > width || found.width > maxWidth) return this.refuse(`${path} is too large.`);
    const tiles = (more.tiles ?? []) as { width: number }[];
    const sizes = (more.sizes ?? []) as Size[];
    const isListed =
      sizes.some((each) => each.width === found.width) || tiles.some((tile) => found.width <= tile.width);
    if (level === 0 && !isListed) return this.refuse(`${path} is not offered.`);
    if (version === 3 && level === 0 && !isWhole && !up) return this.refuse(`${path} lacks its height.`);
    return this.#png(path, found);
  }

  protected override answer({ path }: Seen): Reply {
    const file = this.#files.get(path);
    if (file) {
      const status = file.headers?.location ? 302 : 200;
      return { status, headers: { 'content-type': file.type, ...file.headers }, json: file.content };
    }
    for (const [name, service] of this.#services)
      if (path.startsWith(`${name}/`)) return this.#ofService(path, name, service);
    const size = this.#images.get(path);
    return size ? this.#png(path, size) : { status: 404 };
  }
}
