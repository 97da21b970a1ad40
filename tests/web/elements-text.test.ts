import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import { asset, hasOpenAssets, newGuest, nextFrames, sayIfAbsent, visitTree } from './elements/play.ts';

sayIfAbsent();

const suite = webSuite({ isWanted: hasOpenAssets });

/** A TrueType font as WOFF 1.0 has it, without compression: https://www.w3.org/TR/WOFF/ */
function woffOf(font: Buffer): Buffer {
  const [HEADER, ENTRY] = [44, 20];
  const count = font.readUInt16BE(4);
  const head = Buffer.alloc(HEADER + count * ENTRY);
  const tables: Buffer[] = [head];
  let end = head.length;
  for (let index = 0; index < count; index++) {
    const record = font.subarray(12 + index * 16, 28 + index * 16);
    const [checksum, offset, length] = [4, 8, 12].map((at) => record.readUInt32BE(at)) as [number, number, number];
    const entry = head.subarray(HEADER + index * ENTRY);
    record.copy(entry, 0, 0, 4);
    for (const [place, value] of [end, length, length, checksum].entries()) entry.writeUInt32BE(value, 4 + place * 4);
    const table = Buffer.alloc(Math.ceil(length / 4) * 4);
    font.copy(table, 0, offset, offset + length);
    tables.push(table);
    end += table.length;
  }
  head.write('wOFF', 0, 'latin1');
  font.copy(head, 4, 0, 4);
  head.writeUInt32BE(end, 8);
  head.writeUInt16BE(count, 12);
  head.writeUInt32BE(end - head.length + 12 + count * 16, 16);
  return Buffer.concat(tables);
}

/** Path of a font: a file made by others, or one packed as WOFF. */
async function fontOf(name: string): Promise<string> {
  if (!name.endsWith('.woff')) return asset(`font/${name}`);
  const path = join(await mkdtemp(join(tmpdir(), 'enfilade-font-')), name);
  await writeFile(path, woffOf(await readFile(asset(`font/${name.replace('.woff', '.ttf')}`))));
  onTestFinished(() => rm(dirname(path), { recursive: true }));
  return path;
}

describe.skipIf(!hasOpenAssets)('letters', () => {
  const fonts = [
    'helvetiker_regular.typeface.json',
    'newsreader_9pt_regular.ttf',
    'EBGaramond12-Regular.otf',
    'Amiri-Regular.woff2',
    'newsreader_9pt_regular.woff',
  ];

  test.each(fonts)('of %s are drawn', async (name) => {
    const font = await suite.app.upload(await fontOf(name));
    // A packed font is kept unpacked.
    expect(font.url).not.toMatch(/woff2$/);
    const guest = await newGuest(suite.app, suite.browser);
    const text = { element: 'text', file_id: font.id, ignore_light: true } as const;
    await visitTree(suite.app, guest, [{ ...text, config: { text: 'Room', color: '#FF0000' } }]);
    await nextFrames(guest.page, 5);
    const { data } = await pixelsOf(guest.page);
    let red = 0;
    for (let at = 0; at < data.length; at += 3) if (data[at]! > 150 && data[at + 1]! < 80) red++;
    expect(red).toBeGreaterThan(500);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });
});
