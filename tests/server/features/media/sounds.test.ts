import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { makeFilm, makeSoundOnly } from '../../../harness/film.ts';

describe.each(databases)('sounds and films on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const upload = (content: Buffer) =>
    api.client().media.upload({ body: {}, files: { file: new File([new Uint8Array(content)], 'talk.mp4') } });

  test('an MP4 without a picture is a sound, whatever its name says; one with a picture is a film', async () => {
    const sound = await upload(makeSoundOnly());
    expect(sound).toMatchObject({ type: 'audio', mime: 'audio/mp4', duration: 2 });
    expect(sound.url).toMatch(/\.m4a$/);
    expect(await upload(makeFilm())).toMatchObject({ type: 'video', mime: 'video/mp4' });
  });
});
