import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';

const FOLDER = join(import.meta.dirname, '../baselines');
/** Where the picture of a failed comparison is put. */
const FAILED = join(tmpdir(), 'enfilade-baselines-failed');
/** Steps of a channel by which a pixel may differ and still be the same, and part of the pixels that may be others. */
const SAME = 12;
const OTHERS = 0.01;

const rawOf = (png: Buffer | string) => sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });

/**
 * Compares what a page shows with the picture that is kept of it. Without one, or with UPDATE_BASELINES=1, the picture
 * is written.
 * @returns what is wrong, as a sentence; null when nothing is
 */
export async function compareWithBaseline(page: Page, name: string): Promise<string | null> {
  const png = await page.screenshot();
  const path = join(FOLDER, `${name}.png`);
  if (process.env.UPDATE_BASELINES === '1') {
    await writeFile(path, png);
    return null;
  }
  if (!existsSync(path)) {
    await writeFile(path, png);
    return `There was no baseline ${name}.png; it has been written. Look at it, and keep it if it is right.`;
  }
  const [now, kept] = await Promise.all([rawOf(png), rawOf(path)]);
  if (now.info.width !== kept.info.width || now.info.height !== kept.info.height) return `${name} has another size.`;
  let others = 0;
  for (let at = 0; at < now.data.length; at += 3)
    if ([0, 1, 2].some((channel) => Math.abs(now.data[at + channel]! - kept.data[at + channel]!) > SAME)) others++;
  const share = others / (now.info.width * now.info.height);
  if (share <= OTHERS) return null;
  await mkdir(FAILED, { recursive: true });
  await writeFile(join(FAILED, `${name}.png`), png);
  return `${(share * 100).toFixed(2)} % of ${name} differs from its baseline; see ${join(FAILED, `${name}.png`)}.`;
}
