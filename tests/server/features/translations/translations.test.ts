import { XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfText } from '../../../../engine/document/translation-state.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

const csv = (...rows: string[][]) =>
  new File(
    [rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')],
    'nl.csv',
  );
const HEAD = ['id', 'text', 'translation'];

describe.each(databases)('translations of a space on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const furnish = async () => {
    const client = api.client();
    const template = await client.templates.create({ body: { name: 'T' } });
    const room = await client.rooms.create({
      body: {
        title: 'Harbour',
        description: '<p>Ships &amp; <b>boats</b></p>',
        template_id: template.id,
        config: { language: 'en' },
      },
    });
    const params = { id: room.id };
    const image = await client.rooms.addElement({
      params,
      body: { element: 'image', name: 'Boat', config: { title: 'Boat <1>', text: 'Two\nlines' } },
    });
    return { client, params, image };
  };
  const exported = (id: number, language: string, format: 'xliff' | 'csv', user = api.one.admin) =>
    api.app
      .inject({
        url: `/api/v1/backend/rooms/${id}/translations?language=${language}&format=${format}`,
        headers: { authorization: `Bearer ${user.token}` },
      })
      .then(({ body }) => body);
  const translate = (xliff: string, texts: Record<string, string>) =>
    Object.entries(texts).reduce(
      (now, [source, target]) => now.replace(`<source>${source}</source>`, `$&<target>${target}</target>`),
      xliff,
    );
  const send = (
    { client, params }: Pick<Awaited<ReturnType<typeof furnish>>, 'client' | 'params'>,
    file: File | string,
    apply: '0' | '1' = '1',
    language = 'nl',
  ) =>
    client.translations.import({
      params,
      body: { language, apply },
      files: { file: typeof file === 'string' ? new File([file], 'nl.xlf') : file },
    });

  it('are exported as XLIFF, planned, set at once with their origin, and exported again as they are', async () => {
    const space = await furnish();
    const { client, params, image } = space;
    const empty = await exported(params.id, 'nl', 'xliff');
    expect(XMLValidator.validate(empty)).toBe(true);
    expect(empty).toContain('srcLang="en" trgLang="nl"');
    const filled = translate(empty, {
      Harbour: 'Haven',
      'Boat &lt;1&gt;': 'Boot &lt;1&gt;',
      '<ph id="1" dataRef="d1"/>Ships &amp;amp; <ph id="2" dataRef="d2"/>boats<ph id="3" dataRef="d3"/><ph id="4" dataRef="d4"/>':
        '<ph id="1" dataRef="d1"/>Schepen &amp;amp; <ph id="2" dataRef="d2"/>boten<ph id="3" dataRef="d3"/><ph id="4" dataRef="d4"/>',
    });
    const plan = await send(space, filled, '0');
    expect(plan).toMatchObject({ counts: { changed: 3, unchanged: 1, refused: 0 }, seq: null });
    expect(await exported(params.id, 'nl', 'xliff')).toBe(empty);
    const { seq } = await send(space, filled);
    const log = await client.rooms.log({ params });
    expect(log.entries.at(-1)).toMatchObject({ seq, origin: 'translation' });
    const room = await client.rooms.read({ params });
    expect(room.config.translations).toEqual({
      'nl:title': { text: 'Haven', source: hashOfText('Harbour') },
      'nl:description': {
        text: '<p>Schepen &amp; <b>boten</b></p>',
        source: hashOfText('<p>Ships &amp; <b>boats</b></p>'),
      },
    });
    const again = await exported(params.id, 'nl', 'xliff');
    expect(again).toContain('<segment state="final"><source>Harbour</source><target>Haven</target>');
    expect(await send(space, again)).toMatchObject({ counts: { changed: 0, unchanged: 4, refused: 0 }, seq: null });
    expect(await exported(params.id, 'nl', 'xliff')).toBe(again);
    // Other languages, and the texts themselves, stay as they are.
    expect(await exported(params.id, 'de', 'xliff')).not.toContain('<target>');
    await client.elements.update({ params: { id: image.id }, body: { config: { title: 'Ship' } } });
    const outdated = await exported(params.id, 'nl', 'xliff');
    expect(outdated).toContain('<segment state="initial"><source>Ship</source><target>Boot &lt;1&gt;</target>');
    expect(await send(space, again)).toMatchObject({
      counts: { changed: 0, unchanged: 3, refused: 1 },
      refused: [{ id: image.id, path: 'config.title', message: expect.stringContaining('has changed') }],
    });
  });

  it('travel as a table, in CSV that no spreadsheet evaluates', async () => {
    const space = await furnish();
    const { params, image, client } = space;
    await client.elements.update({ params: { id: image.id }, body: { config: { title: '=1+1' } } });
    const table = await exported(params.id, 'nl', 'csv');
    expect(table).toContain(`"element-${image.id}.config.title","Image “Boat”: Title","'=1+1","","missing"`);
    const rows = [HEAD, [`element-${image.id}.config.title`, "'=1+1", 'Som'], ['space.title', 'Harbour', '']];
    expect(await send(space, csv(...rows))).toMatchObject({ counts: { changed: 1, unchanged: 1, refused: 0 } });
    expect(await exported(params.id, 'nl', 'csv')).toContain('"Som","done"');
    expect(await send(space, new File([await exported(params.id, 'nl', 'csv')], 'x.csv'))).toMatchObject({
      counts: { changed: 0 },
    });
  });

  it('with scripts are sanitized like the texts', async () => {
    const space = await furnish();
    const { client, params } = space;
    const rows = [
      HEAD,
      ['space.description', '<p>Ships &amp; <b>boats</b></p>', '<p onclick="x()">A<script>x()</script></p>'],
    ];
    await send(space, csv(...rows));
    expect((await client.rooms.read({ params })).config.translations!['nl:description']!.text).toBe('<p>A</p>');
  });

  it('that do not fit are refused one by one, and the others are set', async () => {
    const space = await furnish();
    const rows = [
      HEAD,
      ['space.title', 'Harbour', 'H'.repeat(300)],
      ['element-999999.config.title', 'x', 'y'],
      ['space.config.__proto__', 'x', 'y'],
      ['space.title', 'Harbour', 'Haven'],
      [`element-${space.image.id}.config.title`, 'Another source', 'Boot'],
      [`element-${space.image.id}.config.text`, 'Two\nlines', 'Twee\nregels'],
    ];
    const plan = await send(space, csv(...rows));
    expect(plan.counts).toEqual({ changed: 1, unchanged: 0, refused: 5 });
    expect(plan.refused.map(({ message }) => message)).toEqual([
      expect.stringContaining("doesn't have this text"),
      expect.stringContaining("doesn't have this text"),
      expect.stringContaining('twice'),
      expect.stringContaining('has changed'),
      'Use at most 255 characters.',
    ]);
  });

  it('in files that are not such are refused, and nothing changes', async () => {
    const space = await furnish();
    const other = await furnish();
    const good = await exported(space.params.id, 'nl', 'xliff');
    const before = await api.dump();
    const units = Array.from(
      { length: 50_000 },
      (_, at) => `<unit id="u${at}"><segment><source>a</source></segment></unit>`,
    );
    for (const [file, message] of [
      [good.replace('<xliff', '<!DOCTYPE x [<!ENTITY a "aaaa">]><xliff'), 'document type'],
      [good.replace('version="2.1"', 'version="1.2"'), 'Only XLIFF 2'],
      [good.replace('</file>', ''), 'XML'],
      ['<html/>', "isn't an XLIFF file"],
      [good.replace(/<unit[\s\S]*<\/unit>/, units.join('')), '50000 texts'],
      ['a,b\nc,d', 'first row'],
      ['\0', 'spreadsheet'],
    ] as const)
      await expect(send(space, file), message).rejects.toMatchObject({ code: 'bad_file' });
    await expect(send(other, good)).rejects.toMatchObject({ code: 'invalid', msg: { file: [/another space/] } });
    await expect(send(space, good, '1', 'de')).rejects.toMatchObject({ code: 'invalid' });
    await expect(send(space, good, '1', 'not a language')).rejects.toMatchObject({ code: 'invalid' });
    expect(await api.dump()).toBe(before);
  });
});
