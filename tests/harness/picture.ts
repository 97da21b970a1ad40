import type { Page } from 'playwright';
import sharp from 'sharp';

/** A screenshot as raw pixels: three bytes each, row by row. */
export interface Pixels {
  width: number;
  height: number;
  data: Buffer;
}

export async function pixelsOf(page: Page): Promise<Pixels> {
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** A rectangle of a screenshot. */
export function partOf({ width: from, data }: Pixels, x: number, y: number, width: number, height: number): Pixels {
  const rows = Array.from({ length: height }, (_, row) => {
    const at = ((y + row) * from + x) * 3;
    return data.subarray(at, at + width * 3);
  });
  return { width, height, data: Buffer.concat(rows) };
}

export function pixelAt({ width, data }: Pixels, x: number, y: number): [number, number, number] {
  const at = (Math.round(y) * width + Math.round(x)) * 3;
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

/** Number of clearly different colors: an empty screen has one or two. */
export function colorCount({ data }: Pixels): number {
  const seen = new Set<number>();
  for (let at = 0; at < data.length; at += 3)
    seen.add(((data[at]! >> 4) << 8) | ((data[at + 1]! >> 4) << 4) | (data[at + 2]! >> 4));
  return seen.size;
}
