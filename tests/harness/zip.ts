import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { fromBuffer } from 'yauzl';

/** An entry of an archive, including fields of malformed archives. */
export interface ZipEntry {
  name: string;
  content?: Buffer | string;
  /** Unix mode; 0o120777 is a symbolic link. */
  mode?: number;
  /** Size declared in the central directory. */
  claims?: number;
  encrypted?: boolean;
  /** Index of an earlier entry whose data it shares. */
  sameDataAs?: number;
}

/** Writes an archive by hand, including malformed ones that no archiver creates. */
export function zipOf(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o100644, claims, encrypted = false, sameDataAs } of entries) {
    const raw = Buffer.from(content);
    const data = deflateRawSync(raw, { level: 9 });
    const path = Buffer.from(name);
    const flags = 0x0800 | (encrypted ? 1 : 0);
    const at = sameDataAs === undefined ? offset : offsets[sameDataAs]!;
    offsets.push(at);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(flags, 2);
    fixed.writeUInt16LE(8, 4);
    fixed.writeUInt32LE(crc32(raw), 10);
    fixed.writeUInt32LE(data.length, 14);
    fixed.writeUInt32LE(claims ?? raw.length, 18);
    fixed.writeUInt16LE(path.length, 22);
    if (sameDataAs === undefined) {
      const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fixed, path, data]);
      parts.push(local);
      offset += local.length;
    }
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(at, 10);
    const madeBy = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), madeBy, fixed, tail, path]));
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

/** The files in an archive, by name. */
export const unzip = (bytes: Buffer): Promise<Map<string, Buffer>> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (problem, zip) => {
      if (problem) return reject(problem);
      const files = new Map<string, Buffer>();
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, async (error, stream) => {
          if (error) return reject(error);
          files.set(entry.fileName, await buffer(stream));
          zip.readEntry();
        }),
      );
      zip.on('end', () => resolve(files));
      zip.readEntry();
    });
  });
