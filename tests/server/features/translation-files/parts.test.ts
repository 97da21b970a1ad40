import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfText } from '../../../../engine/document/translation-state.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { picture } from '../../../harness/media-requests.ts';

const csv = (...rows: string[][]) => {
  const lines = [['id', 'text', 'translation'], ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(','));
  return new File([lines.join('\n')], 'nl.csv');
};

const SEEN = { view_any: true, create: false, update: false, delete: false };

const sourced = (text: string, source: string) => ({ text, source: hashOfText(source) });

describe.each(databases)('translations of what belongs to a space on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  let count = 0;
  const furnish = async () => {
    const client = api.client();
    const file = new File([picture().content], `boat-${++count}.png`);
    const media = await client.media.upload({ body: {}, files: { file } });
    await client.media.update({ params: { id: media.id }, body: { title: 'Boat', alt: 'A red boat' } });
    const template = await client.templates.create({
      body: { name: 'Hall', model_type: 'pano', file_id: media.id, config: { alt: 'A hall' } },
    });
    const body = { title: 'Harbour', template_id: template.id, config: { language: 'en' } };
    const room = await client.rooms.create({ body });
    const params = { id: room.id };
    await client.rooms.addElement({
      params,
      body: { element: 'image', name: 'Boat', file_id: media.id, config: { decorative: true } },
    });
    const structure = await client.endpoints.create({
      body: { name: 'The quay', slug: `quay-${count}`, room_id: room.id },
    });
    const texts = async () => ({
      structure: (await client.endpoints.read({ params: { id: structure.id } })).translations,
      template: (await client.templates.read({ params: { id: template.id } })).config.translations,
      file: (await client.media.read({ params: { id: media.id } })).translations,
    });
    const rows = {
      space: ['space.title', 'Harbour', 'Haven'],
      structure: [`structure-${structure.id}.name`, 'The quay', 'De kade'],
      template: [`template-${template.id}.alt`, 'A hall', 'Een zaal'],
      file: [`file-${media.id}.alt`, 'A red boat', 'Een rode boot'],
    };
    const send = (file: File, apply: '0' | '1' = '1', from = client) =>
      from.translations.import({ params, body: { language: 'nl', apply }, files: { file } });
    return { client, params, media, template, structure, texts, rows, send };
  };
  const namesIn = async (id: number, query: string, token = api.one.admin.token) => {
    const { body, statusCode } = await api.app.inject({
      url: `/api/v1/backend/rooms/${id}/translations?language=nl&format=csv&${query}`,
      headers: { authorization: `Bearer ${token}` },
    });
    return statusCode === 200 ? [...body.matchAll(/^"([\w.-]+)"/gm)].map(([, name]) => name) : statusCode;
  };

  it('are exported with it: structures and template by default, files on request', async () => {
    const { params, rows, media } = await furnish();
    const [space, structure, template] = [rows.space[0], rows.structure[0], rows.template[0]];
    expect(await namesIn(params.id, '')).toEqual([space, structure, template]);
    expect(await namesIn(params.id, 'with=')).toEqual([space]);
    expect(await namesIn(params.id, 'with=files')).toEqual([space, `file-${media.id}.title`, `file-${media.id}.alt`]);
    expect(await namesIn(params.id, 'with=everything')).toBe(400);
  });

  it('are planned, set in one change with their sources, and exported again as they are', async () => {
    const { client, params, rows, send, texts, media, structure, template } = await furnish();
    const before = await texts();
    const plan = {
      counts: { changed: 4, unchanged: 0, refused: 0 },
      changes: [
        { id: null, path: 'title', after: 'Haven' },
        { part: 'structures', id: structure.id, path: 'name', before: null, after: 'De kade' },
        { part: 'template', id: template.id, path: 'alt', after: 'Een zaal' },
        { part: 'files', id: media.id, path: 'alt', after: 'Een rode boot' },
      ],
    };
    expect(await send(csv(...Object.values(rows)), '0')).toMatchObject({ ...plan, seq: null });
    expect(await texts()).toEqual(before);
    expect(await send(csv(...Object.values(rows)))).toMatchObject(plan);
    expect(await texts()).toEqual({
      structure: { nl: { name: sourced('De kade', 'The quay') } },
      template: { nl: { alt: sourced('Een zaal', 'A hall') } },
      file: { nl: { alt: sourced('Een rode boot', 'A red boat') } },
    });
    expect((await client.rooms.read({ params })).config.translations).toEqual({
      'nl:title': sourced('Haven', 'Harbour'),
    });
    const changed = (await client.history.list()).data.slice(0, 4).map(({ entity }) => entity);
    expect(changed.toSorted()).toEqual(['endpoint', 'media', 'room', 'template']);
    expect(await send(csv(...Object.values(rows)))).toMatchObject({ counts: { changed: 0, unchanged: 4 }, seq: null });
  });

  it('come back with one undo of the import, unless one of them has changed since', async () => {
    const { client, rows, send, texts, structure } = await furnish();
    const translate = (language: string, name: string) =>
      client.endpoints.translate({ params: { id: structure.id }, body: { language, texts: { name } } });
    await translate('nl', 'Kade');
    const before = await texts();
    const undo = async () => {
      const entry = (await client.history.list()).data.find(({ entity }) => entity === 'media')!;
      return client.history.restore({ params: { id: entry.id } });
    };
    await send(csv(rows.structure, rows.template, rows.file));
    // Another language doesn't stand in the way.
    await translate('de', 'Der Kai');
    const de = { de: { name: sourced('Der Kai', 'The quay') } };
    expect(await undo()).toMatchObject({ entity: 'media', missing: [] });
    expect(await texts()).toEqual({ ...before, structure: { ...before.structure, ...de } });
    await send(csv(rows.structure, rows.template, rows.file));
    await translate('nl', 'De kade aan het water');
    const now = await texts();
    await expect(undo()).rejects.toMatchObject({ code: 'stale' });
    expect(await texts()).toEqual(now);
  });

  it('are refused once their text has changed, one by one', async () => {
    const { client, rows, send, texts, media, structure } = await furnish();
    await client.endpoints.update({ params: { id: structure.id }, body: { name: 'Pier' } });
    await client.media.update({ params: { id: media.id }, body: { alt: 'A ship' } });
    const plan = await send(csv(...Object.values(rows), [`file-${media.id}.title`, 'Boat', 'x'.repeat(300)]));
    expect(plan.counts).toEqual({ changed: 2, unchanged: 0, refused: 3 });
    expect(plan.refused).toEqual([
      { part: 'structures', id: structure.id, path: 'name', message: expect.stringContaining('has changed') },
      { part: 'files', id: media.id, path: 'alt', message: expect.stringContaining('has changed') },
      { part: 'files', id: media.id, path: 'title', message: 'Use at most 255 characters.' },
    ]);
    expect(await texts()).toMatchObject({ structure: {}, file: {}, template: { nl: { alt: { text: 'Een zaal' } } } });
  });

  it('of other spaces and organizations are unknown', async () => {
    const { send, rows } = await furnish();
    const other = await furnish();
    const strange = [other.rows.structure, other.rows.template, other.rows.file];
    const plan = await send(csv(rows.space, ...strange));
    expect(plan.counts).toEqual({ changed: 1, unchanged: 0, refused: 3 });
    for (const { message } of plan.refused) expect(message).toBe("The space doesn't have this text.");
    expect(await other.texts()).toEqual({ structure: {}, template: undefined, file: {} });
    const own = await api.client(api.two.admin).rooms.create({ body: { title: 'Harbour' } });
    const body = { language: 'nl', apply: '1' } as const;
    const file = csv(...strange);
    const apart = await api
      .client(api.two.admin)
      .translations.import({ params: { id: own.id }, body, files: { file } });
    expect(apart.counts).toEqual({ changed: 0, unchanged: 0, refused: 3 });
    expect(await other.texts()).toEqual({ structure: {}, template: undefined, file: {} });
  });

  it('need the rights of each part', async () => {
    const { params, rows, send, texts } = await furnish();
    const writer = await api.addUser(api.one, { rooms: { ...SEEN, update: true }, media: SEEN });
    expect(await namesIn(params.id, 'with=structures,files', writer.token)).toEqual([
      'space.title',
      rows.file[0]!.replace('alt', 'title'),
      rows.file[0],
    ]);
    const plan = await send(csv(...Object.values(rows)), '1', api.client(writer));
    expect(plan.counts).toEqual({ changed: 1, unchanged: 0, refused: 3 });
    expect(plan.refused.map(({ message }) => message)).toEqual([
      expect.stringContaining("doesn't have this text"),
      expect.stringContaining("doesn't have this text"),
      expect.stringContaining('right create for media'),
    ]);
    expect(await texts()).toEqual({ structure: {}, template: undefined, file: {} });
  });
});
