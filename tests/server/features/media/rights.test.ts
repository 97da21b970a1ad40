import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { AREAS, type Policies, RIGHTS } from '../../../../src/contract/entities.ts';
import type { ApiError } from '../../../../src/contract/errors.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

const none = { view_any: false, create: false, update: false, delete: false };
const add = { media: { ...none, create: true } };

describe.each(databases)('the rights of the media library on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  let green = 0;
  const image = async () => {
    const background = { r: 9, g: ++green, b: 0 };
    const bytes = await sharp({ create: { width: 4, height: 4, channels: 3, background } })
      .png()
      .toBuffer();
    return new File([new Uint8Array(bytes)], `${randomUUID()}.png`);
  };
  const upload = async (as: { token: string }) =>
    (await api.client(as).media.upload({ body: {}, files: { file: await image() } })).id;
  const remove = async (id: number, token: string) => (await api.call(calls.media.remove, { id }, { token })).status;

  it('no other right removes a file', async () => {
    const id = await upload(api.one.admin);
    for (const area of AREAS)
      for (const right of RIGHTS) {
        const { token } = await api.addUser(api.one, { [area]: { ...none, [right]: true } });
        const name = `${area}.${right}`;
        if (name !== 'media.delete') expect([name, await remove(id, token)]).toEqual([name, 403]);
      }
    const { token } = await api.addUser(api.one, { media: { ...none, delete: true } });
    expect(await remove(id, token)).toBe(200);
  });

  it('whoever may add files may remove their own, but no key may: it is not who made it', async () => {
    const creator = await api.addUser(api.one, add);
    const [own, others] = [await upload(creator), await upload(api.one.admin)];
    const rights = Object.fromEntries(AREAS.map((area) => [area, none])) as Policies;
    const { key } = await api.client().apiKeys.create({ body: { name: 'Key', policies: { ...rights, ...add } } });
    expect(await remove(others, key)).toBe(403);
    expect(await remove(others, creator.token)).toBe(403);
    expect(await remove(own, creator.token)).toBe(200);
  });

  it('replacing and restoring, which can delete a version, need the same: the right to delete, or an own upload', async () => {
    const creator = await api.addUser(api.one, add);
    const [own, others] = [await upload(creator), await upload(api.one.admin)];
    const rights = Object.fromEntries(AREAS.map((area) => [area, none])) as Policies;
    const keyWith = async (media: Policies['media']) =>
      (await api.client().apiKeys.create({ body: { name: 'Key', policies: { ...rights, media } } })).key;
    const change = async (id: number, token: string) => {
      const params = { id };
      const replaced = api.client({ token }).media.replace({ params, body: {}, files: { file: await image() } });
      const code = await replaced.then(
        () => 'done',
        (error: ApiError) => error.code,
      );
      const admin = api.client();
      await admin.media.replace({ params, body: {}, files: { file: await image() } });
      const [version] = await admin.media.versions({ params });
      // As the file was before, and so the creator's if it was.
      const row = api.services.db.updateTable('media').where('id', '=', id);
      await row.set({ user_id: id === own ? creator.id : api.one.admin.id }).execute();
      const restored = api.client({ token }).media.restore({ params, body: { version_id: version!.id } });
      return [
        code,
        await restored.then(
          () => 'done',
          (error: ApiError) => error.code,
        ),
      ];
    };
    const refusal = ['forbidden', 'forbidden'];
    expect(await change(own, creator.token)).toEqual(['done', 'done']);
    expect(await change(others, creator.token)).toEqual(refusal);
    expect(await change(own, await keyWith(add.media))).toEqual(refusal);
    expect(await change(own, await keyWith({ ...none, delete: true }))).toEqual(refusal);
    expect(await change(others, await keyWith({ ...none, create: true, delete: true }))).toEqual(['done', 'done']);
  });
});
