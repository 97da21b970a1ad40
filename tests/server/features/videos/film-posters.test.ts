import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { makeFilm } from '../../../harness/film.ts';

const file = (name: string, content: Buffer) => new File([new Uint8Array(content)], name);

describe.each(databases)('pictures of uploaded films on %s', (kind) => {
  let api: ApiApp;
  let folder: string;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api?.close());

  const upload = (content: File) =>
    api.client().videos.upload({ params: { provider: 'local' }, files: { file: content } });

  const path = process.env.PATH;
  /** Puts a program in place of another one: what it does, as a script. */
  const program = async (name: string, script: string) => {
    await writeFile(join(folder, name), `#!${process.execPath}\nconst fs = require('node:fs');\n${script}`);
    await chmod(join(folder, name), 0o755);
  };
  const notes = async () => (await readFile(join(folder, 'notes'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-path-'));
    process.env.PATH = folder;
    const note = (text: string) => `fs.appendFileSync(${JSON.stringify(join(folder, 'notes'))}, ${text} + '\\n');`;
    // Whoever finds the folder there has begun before another one ended.
    const alone = JSON.stringify(join(folder, 'alone'));
    await program(
      'ffmpeg',
      `try { fs.mkdirSync(${alone}); } catch { ${note("'two at once'")} }
        ${note("process.argv.slice(2).join(' ')")}
        fs.rmSync(${alone}, { recursive: true, force: true });`,
    );
  });
  afterEach(async () => {
    process.env.PATH = path;
    await rm(folder, { recursive: true });
  });

  it('are drawn one after another, by one thread, in bounded memory', async () => {
    const films = Array.from({ length: 6 }, (_, index) => file(`Film ${index}.mp4`, makeFilm(40_000 + index * 100)));
    await Promise.all(films.map((film) => upload(film)));
    const runs = await notes();
    expect(runs).toHaveLength(6);
    for (const run of runs) expect(run).toMatch(/-max_alloc \d+ -threads 1 -max_pixels 9437184 -i /);
  });

  it('are left out where a film has more pixels than 4K', async () => {
    const say = (text: string) => program('ffprobe', `console.log(${JSON.stringify(text)});`);
    await say('4096x4096');
    expect(await upload(file('Huge.mp4', makeFilm(30_000)))).toMatchObject({ thumb: '', playable: true });
    expect(await notes()).toEqual([]);
    await say('3840x2160');
    await upload(file('4K.mp4', makeFilm(30_100)));
    expect(await notes()).toHaveLength(1);
  });
});
