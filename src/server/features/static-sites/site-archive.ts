import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Constant archive options, so that the same site produces the same archive. */
const OPTIONS = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };
/** Files that compression makes smaller. */
const TEXT = /\.(?:html|js|css|json|xml|txt|csv|svg|wasm|gltf)$/;

/** A file of an archive, as manifests list it. */
interface Written {
  path: string;
  bytes: number;
  /** SHA-256, hexadecimal. */
  hash: string;
}

/** A ZIP archive that is written while it is sent. */
export class SiteArchive {
  readonly #zip = new ZipFile();
  /** The archive's bytes. */
  readonly output: Readable;
  readonly written: Written[] = [];
  readonly #taken = new Set<string>();
  #current: Transform | undefined;

  constructor() {
    this.output = this.#zip.outputStream as Readable;
    // The client may end the download early.
    this.output.on('close', () => this.#current?.destroy());
    this.#zip.on('error', (error: Error) => this.output.destroy(error));
  }

  /** Whether the archive has a file at a path. */
  has(path: string): boolean {
    return this.#taken.has(path);
  }

  /** Writes a file, unless there is one at its path. @returns resolves when it is in the archive */
  async add(path: string, content: Buffer | string | Readable): Promise<void> {
    if (this.#taken.has(path)) {
      if (content instanceof Readable) content.destroy();
      return;
    }
    this.#taken.add(path);
    const hash = createHash('sha256');
    let bytes = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    this.#current = counted;
    this.#zip.addReadStream(counted, path, { ...OPTIONS, compress: TEXT.test(path) });
    const source = content instanceof Readable ? content : Readable.from([Buffer.from(content)]);
    await pipeline(source, counted);
    this.written.push({ path, bytes, hash: hash.digest('hex') });
  }

  end(): void {
    this.#zip.end();
  }

  /** Ends the archive early: its reader gets an error. */
  fail(error: Error): void {
    this.output.destroy(error);
  }
}

/** A path in a manifest. @see https://www.rfc-editor.org/rfc/rfc8493#section-2.1.3 */
const encoded = (path: string): string =>
  path.replace(/[%\r\n]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

const manifestOf = (files: readonly Written[]): string =>
  files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ hash, path }) => `${hash}  ${encoded(path)}\n`)
    .join('');

/**
 * Adds what makes an archive a bag: its declaration, its description, and manifests of the payload below `data/`.
 * @param facts further lines of the description
 * @see https://www.rfc-editor.org/rfc/rfc8493
 */
export async function closeBag(archive: SiteArchive, facts: Record<string, string>): Promise<void> {
  const payload = [...archive.written];
  const bytes = payload.reduce((sum, file) => sum + file.bytes, 0);
  const lines = { ...facts, 'Payload-Oxum': `${bytes}.${payload.length}` };
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value.replace(/\s+/g, ' ')}\n`);
  await archive.add('bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
  await archive.add('bag-info.txt', text.join(''));
  await archive.add('manifest-sha256.txt', manifestOf(payload));
  await archive.add('tagmanifest-sha256.txt', manifestOf(archive.written.slice(payload.length)));
}
