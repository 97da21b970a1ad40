import { stat } from 'node:fs/promises';
import { hasBrokenValues, readExrHeader } from './exr-values.ts';
import { damaged, type Inspection } from './inspection.ts';
import { aboutExr, aboutRadiance } from './metadata/light-metadata.ts';
import { blanked, writePieces } from './metadata/pieces.ts';

/** Maximum side length of an environment in pixels. */
const MAX_SIDE = 8192;

function checked(width: number, height: number, kind: Pick<Inspection, 'mime' | 'extension'>): Inspection {
  if (!(width > 0 && height > 0)) throw damaged('The environment has a size of 0.');
  if (Math.max(width, height) > MAX_SIDE) throw damaged(`The environment is larger than ${MAX_SIDE} pixels.`);
  return { type: 'hdr', ...kind, width, height };
}

/** Reads the header of a Radiance HDR file: text lines, an empty line, then `-Y height +X width`. */
function inspectRadiance(head: Buffer): Inspection {
  const size = /\n\n-Y (\d{1,6}) \+X (\d{1,6})\n/.exec(head.toString('latin1'));
  if (!size) throw damaged('The HDR file has no size in its header, or an unsupported orientation.');
  return checked(Number(size[2]), Number(size[1]), { mime: 'image/vnd.radiance', extension: 'hdr' });
}

/** Reads the `dataWindow` of an OpenEXR header: name, type, length, then x and y of two corners. */
function inspectExr(head: Buffer): Inspection {
  const mark = Buffer.from('dataWindow\0box2i\0\x10\0\0\0', 'latin1');
  const at = head.indexOf(mark) + mark.length;
  if (at < mark.length || at + 16 > head.length) throw damaged('The EXR file has no size in its header.');
  const corner = (index: number) => head.readInt32LE(at + index * 4);
  return checked(corner(2) - corner(0) + 1, corner(3) - corner(1) + 1, { mime: 'image/x-exr', extension: 'exr' });
}

/**
 * Size of an environment in pixels, and the offset after its header.
 * @param head first bytes, including the whole header
 * @throws ApiError bad_file if it has none
 */
export function environmentSize(head: Buffer, isExr: boolean): { width: number; height: number; end: number } {
  const { width = 0, height = 0 } = isExr ? inspectExr(head) : inspectRadiance(head);
  // The size ends the header of a Radiance file.
  const last = /\n\n-Y \d+ \+X \d+\n/.exec(isExr ? '' : head.toString('latin1'));
  return { width, height, end: last ? last.index + last[0].length : (readExrHeader(head)?.end ?? 0) };
}

/** Rejects an EXR file with NaN or infinite values: each would corrupt all lighting around it. */
async function refuseBroken(path: string, head: Buffer, { width = 0, height = 0 }: Inspection): Promise<void> {
  const isBroken = await hasBrokenValues(path, head, { width, height }).catch(() => {
    throw damaged('The EXR file is damaged or incomplete.');
  });
  if (isBroken)
    throw damaged(
      "The EXR file contains values that aren't finite (NaN or infinity). Remove them and export it again.",
    );
}

/**
 * Reads an environment's size, checks its values if its format allows it, and strips metadata.
 * @throws ApiError bad_file
 */
export async function inspectEnvironment(file: {
  path: string;
  head: Uint8Array;
  format: 'radiance' | 'exr';
}): Promise<Inspection> {
  const head = Buffer.from(file.head);
  const isExr = file.format === 'exr';
  const found = isExr ? inspectExr(head) : inspectRadiance(head);
  // Radiance files contain only finite numbers.
  if (isExr) await refuseBroken(file.path, head, found);
  const attributes = isExr ? (readExrHeader(head)?.attributes ?? new Map<string, Buffer>()) : null;
  const about = attributes ? aboutExr(head, attributes) : aboutRadiance(head);
  const pieces = blanked(about, (await stat(file.path)).size);
  if (!pieces) return found;
  const path = `${file.path}.stripped`;
  await writePieces(file.path, path, pieces);
  return { ...found, instead: { path } };
}
