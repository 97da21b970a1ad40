import { readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Media } from '../../../../src/contract/entities.ts';
import { readMediaUrl } from '../../../../src/server/core/files/media-url.ts';
import { ApiApp, oneDatabase } from '../../../harness/api-app.ts';

/** Bytes of a file that no socket buffers as a whole. */
const LARGE = 64 * 1024 * 1024;

describe.each(oneDatabase)('downloads that end early on %s', (kind) => {
  let api: ApiApp;
  const files: Media[] = [];
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    for (const [name, background] of [
      ['a.png', '#123'],
      ['b.png', '#321'],
    ]) {
      const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: background! } })
        .png()
        .toBuffer();
      const file = new File([new Uint8Array(bytes)], name!);
      files.push(await api.client().media.upload({ body: {}, files: { file } }));
    }
    await writeFile(await pathOf(files[0]!), Buffer.alloc(LARGE));
  });
  afterAll(() => api.close());

  const pathOf = async ({ url }: Media): Promise<string> => {
    const { hash, entry } = readMediaUrl(url)!;
    return api.services.media.fileOf(hash, entry);
  };
  /** A download whose content isn't read yet. */
  const begin = async (): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${api.one.admin.token}` };
    const url = `${api.origin}/api/v1/backend/media/archive?ids=${files.map(({ id }) => id)}`;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers }, resolve).on('error', reject);
    });
    expect(answer.statusCode).toBe(200);
    return answer;
  };
  const openFiles = async () => {
    const found = await readdir('/proc/self/fd');
    return Promise.all(found.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
  };

  it('close the file that is being sent', async () => {
    const path = await pathOf(files[0]!);
    const answer = await begin();
    await expect.poll(openFiles).toContain(path);
    answer.destroy();
    await expect.poll(openFiles).not.toContain(path);
  });

  it('fail if a file is deleted meanwhile; the server goes on', async () => {
    const answer = await begin();
    await rm(await pathOf(files[1]!));
    const ended = new Promise((resolve) =>
      answer.on('error', () => resolve('failed')).on('end', () => resolve('ended')),
    );
    answer.resume();
    expect(await ended).toBe('failed');
    expect((await api.client().media.read({ params: { id: files[0]!.id } })).name).toBe('a.png');
  });
});
