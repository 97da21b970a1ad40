import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { spherePart } from '../../../../../../src/contract/entities.ts';
import { assemblePanorama } from '../../../../../../src/server/core/files/inspect/tours/assemble.ts';

it('rejects parts of a sphere without width, and those too narrow for their height', async () => {
  expect(spherePart.safeParse({ left: 0, top: 0, width: 0, height: 1 }).success).toBe(false);
  const folder = await mkdtemp(join(tmpdir(), 'assemble-'));
  try {
    const image = await sharp({ create: { width: 16, height: 8, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
    const zip = zipSync({ 'image.jpg': new Uint8Array(image) });
    const path = join(folder, 'panorama.zip');
    await writeFile(path, zip);
    const part = { left: 0, top: 0, width: 1e-4, height: 1 };
    const assembled = assemblePanorama({ path, bytes: zip.length, folder, layout: { kind: 'part', part } });
    await expect(assembled).rejects.toMatchObject({
      code: 'bad_file',
      msg: { file: [expect.stringContaining('too narrow')] },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
