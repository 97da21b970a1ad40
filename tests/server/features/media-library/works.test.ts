import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { tourPhoto } from '../../../harness/tour-photos.ts';
import { xlsxOf } from '../../../harness/xlsx.ts';
import { zipOf } from '../../../harness/zip.ts';

const HEADING = ['Image', 'Title', 'Artist', 'Year', 'Size', 'Text'];

describe.each(databases)('works from a spreadsheet, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    for (const [name, size] of [
      ['Night.jpg', [80, 60]],
      ['été.png', [60, 80]],
      ['twice.jpg', [64, 32]],
      ['twice.jpg', [64, 33]],
    ] as const)
      ids[name] = (await client.media.upload({ body: {}, files: { file: await tourPhoto(name, { size }) } })).id;
  });
  afterAll(() => api.close());

  const readAs = (as: Client, content: Buffer | string, name = 'works.csv') =>
    as.media.readWorks({ body: {}, files: { file: new File([new Uint8Array(Buffer.from(content))], name) } });
  const read = (content: Buffer | string) => readAs(client, content);
  const sizes = async (...rows: string[]) => {
    const { works } = await read(['Image\tSize', ...rows.map((size) => `night\t${size}`)].join('\n'));
    return works.map(({ width, height }) => [width, height]);
  };
  const textsOf = (notes: readonly { row: number; text: string }[]) => notes.map(({ row, text }) => `${row} ${text}`);

  it('are read from a workbook: shared and formatted strings, dates, stored results of formulas, merged cells', async () => {
    const rich =
      '<is><r><t xml:space="preserve">Night </t></r><r><t>&amp; day</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is>';
    const workbook = xlsxOf(
      [
        ['Catalog 2026'],
        HEADING,
        [
          'night.JPG',
          { attributes: 't="inlineStr"', content: rich },
          'Kim & Lee',
          { attributes: 's="1"', content: '<v>36161</v>' },
          '60 × 80 cm',
          { attributes: 't="str"', content: '<f>CONCAT("a","b")</f><v>ab</v>' },
        ],
        [],
        [`${ids['été.png']}`, 'Summer', 'Hidden by the merge', 1998, '24 x 36 in', { content: '<f>NOW()</f>' }],
        [
          'e\u0301te\u0301',
          'Again',
          '',
          { attributes: 's="2"', content: '<v>36161</v>' },
          null,
          { attributes: 't="e"', content: '<v>#REF!</v>' },
        ],
      ],
      { formats: ['yyyy', 'd mmm yyyy'], merged: ['C3:C5'] },
    );
    const { works, notes } = await read(workbook);
    const plain = { text: '', author: '' };
    expect(works.map(({ file, ...work }) => ({ ...work, file: file?.name }))).toEqual([
      // The image is wider than high, so 80 is its width.
      {
        ...plain,
        row: 3,
        image: 'night.JPG',
        file: 'Night.jpg',
        title: 'Night & day',
        author: 'Kim & Lee',
        date: '1999',
        width: 80,
        height: 60,
        text: 'ab',
      },
      {
        ...plain,
        row: 5,
        image: `${ids['été.png']}`,
        file: 'été.png',
        title: 'Summer',
        date: '1998',
        width: 60.96,
        height: 91.44,
      },
      {
        ...plain,
        row: 6,
        image: 'e\u0301te\u0301',
        file: 'été.png',
        title: 'Again',
        date: '1999-01-01',
        width: null,
        height: null,
      },
    ]);
    expect(textsOf(notes)).toEqual([
      '5 Cell F5 is a formula without a stored result.',
      "5 The size 60.96 × 91.44 cm doesn't have the proportions of the image, which is fitted into it.",
      '6 Cell F6 contains the error #REF!.',
    ]);
  });

  it('report every problem with its row, and refuse sizes that are not positive', async () => {
    const lines = [
      'Bild;Titel;Breite (cm);Höhe (cm);Jahr',
      'night.jpg;A;60,5;80,25;1990',
      'missing.jpg;B;;;',
      ';C;10;10;',
      'night.jpg;a;0;10;',
      'night.jpg;D;-5;10;',
      'twice.jpg;A;;;',
      `night.jpg;E;;;${'9'.repeat(61)}`,
    ];
    // Windows-1252, as older spreadsheet programs save it.
    const { works, notes } = await read(Buffer.from(lines.join('\r\n'), 'latin1'));
    expect(works.map(({ row, width, height, file }) => [row, width, height, file?.id])).toEqual([
      [2, 60.5, 80.25, ids['Night.jpg']],
      [3, null, null, undefined],
      [7, null, null, ids['twice.jpg']],
    ]);
    expect(notes.map(({ row, kind, text }) => [row, kind, text])).toEqual([
      [2, 'note', "The size 60.5 × 80.25 cm doesn't have the proportions of the image, which is fitted into it."],
      [3, 'missing', 'No image is named “missing.jpg” in the media library.'],
      [4, 'refused', 'The image is missing.'],
      [5, 'refused', 'The size “0” and “10” must be greater than 0.'],
      [6, 'refused', 'The size “-5” and “10” must be greater than 0.'],
      [7, 'note', 'The title “A” is in row 2, too.'],
      [7, 'note', '2 images are named “twice.jpg”; the newest is used.'],
      [8, 'refused', 'The year is longer than 60 characters. Shorten it.'],
    ]);
  });

  it('have sizes in several units and notations', async () => {
    expect(
      await sizes(
        '60x80',
        '80,5 × 60,25 cm',
        '800 x 600 mm',
        '1.200 x 900 mm',
        '"24"" x 36"""',
        'H 60 × B 80 cm',
        '0.8 x 0.6 m',
        'large',
      ),
    ).toEqual([
      [80, 60],
      [80.5, 60.25],
      [80, 60],
      [120, 90],
      [91.44, 60.96],
      [80, 60],
      [80, 60],
      [null, null],
    ]);
    const { notes } = await read('Image,Size\nnight,60x80\ntwice,"Ø 5"');
    expect(textsOf(notes.filter(({ text }) => text.startsWith('The size')))).toEqual([
      '2 The size “60x80” has no unit; centimeters are assumed.',
      "3 The size “Ø 5” can't be read; the default height is used.",
    ]);
  });

  it('find images by URL, and none of other organizations', async () => {
    const { url } = await client.media.read({ params: { id: ids['Night.jpg']! } });
    const sheet = `Image\nhttps://museum.example${url}\nhttps://museum.example/other.jpg`;
    expect((await read(sheet)).works.map(({ file }) => file?.id)).toEqual([ids['Night.jpg'], undefined]);
    const other = api.client(api.two.admin);
    const theirs = await readAs(other, `${sheet}\nnight.jpg\n${ids['Night.jpg']}`);
    expect(theirs.works.map(({ file }) => file)).toEqual([null, null, null, null]);
  });

  it('are refused with what is wrong: too many rows, no column of images, no spreadsheet, a bomb', async () => {
    const many = xlsxOf([['Image'], ...Array.from({ length: 10_000 }, (_, nth) => [`work ${nth * 7919}.jpg`])]);
    expect(await refused(read(many))).toMatchObject({
      code: 'too_large',
      msg: { file: ['The sheet has 10000 rows. Hang at most 2000 works at once; split the sheet.'] },
    });
    const wrong = async (content: Buffer | string) => (await refused(read(content))).msg.file?.[0];
    expect(await wrong('Title,Year\nA,1990')).toMatch(/^No column contains images\. Name one column “Image”/);
    expect(await wrong('Image,Title\n')).toBe('The sheet has no rows below its heading.');
    expect(await wrong(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]))).toBe(
      "This isn't a spreadsheet. Save it as XLSX or CSV.",
    );
    expect(
      await wrong(
        zipOf([
          { name: 'index.html', content: 'x' },
          { name: 'b', content: '' },
        ]),
      ),
    ).toMatch(/^This archive isn't a workbook/);
    const bomb = zipOf([
      { name: 'xl/workbook.xml', content: Buffer.alloc(50_000_000, 32) },
      { name: 'b', content: 'x' },
    ]);
    expect(await wrong(bomb)).toMatch(/more than 100 times as large/);
    const entities = zipOf([
      { name: 'xl/workbook.xml', content: '<!DOCTYPE x [<!ENTITY a "b">]><workbook>&a;</workbook>' },
      { name: 'b', content: 'x' },
    ]);
    expect(await wrong(entities)).toMatch(/has a document type/);
  });
});
