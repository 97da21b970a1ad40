import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, formOf, oneDatabase } from '../../../harness/api-app.ts';

const FOLDER = join(import.meta.dirname, '../../../../fixtures/subtitles');

/** What `tour.srt` is as WebVTT, in whatever encoding it came. */
const TOUR = `WEBVTT

00:00:01.000 --> 00:00:04.200
Welcome to the <i>Upper Gallery</i>.

00:00:04.500 --> 00:00:07.000
- Is this one by Vermeer?
- No: "after" Vermeer.

00:00:07.250 --> 00:00:09.999 line:5%
This caption stands at the top.

00:00:10.000 --> 00:00:12.500
<b>Café &amp; Bar</b> — 5 &lt; 6, naïve façade

01:02:03.040 --> 01:02:05.600 line:5% position:5% align:start
Left, above.
Its second part, behind an empty line.

01:02:06.000 --> 01:02:08.000
1984

`;

describe.each(oneDatabase)('subtitles on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const upload = async (name: string, content: string | Buffer, accept = 'text_track') =>
    api.send('POST', '/api/v1/backend/media', {
      token: api.one.admin.token,
      form: formOf({ accept }, { field: 'file', name, content: new Blob([content as BlobPart]) }),
    });
  const fixture = (name: string) => readFile(join(FOLDER, name));
  /** What the library gives of a file. */
  const stored = async (id: number) => {
    const path = `/api/v1/backend/media/${id}/content`;
    return (await api.send('GET', path, { token: api.one.admin.token })).text;
  };

  it.each([
    ['tour.srt', undefined],
    ['tour-utf16.srt', ["The file wasn't encoded as UTF-8. Check its characters."]],
    ['tour-windows.srt', ["The file wasn't encoded as UTF-8. Check its characters."]],
  ])('%s becomes WebVTT', async (name, warnings) => {
    const { status, body, text } = await upload(name, await fixture(name));
    expect(status, text).toBe(201);
    expect(body.data).toMatchObject({ name, type: 'text_track', mime: 'text/vtt', bytes: Buffer.byteLength(TOUR) });
    expect(body.data.url).toMatch(/\/tour[\w-]*\.vtt$/);
    expect(body.data.details).toEqual({ cues: 6, ...(warnings && { warnings }) });
    expect(await stored(body.data.id)).toBe(TOUR);
  });

  it('times may lack numbers, hours and thousandths; what ends before it begins is left out and told', async () => {
    const { body } = await upload('unnumbered.srt', await fixture('unnumbered.srt'));
    expect(body.data.details).toEqual({
      cues: 2,
      warnings: ['Skipped 1 subtitle that ends before it starts.'],
    });
    expect(await stored(body.data.id)).toBe(
      'WEBVTT\n\n00:00:01.500 --> 00:00:03.000\nWithout hours, with a point.\n\n' +
        '00:00:02.000 --> 00:00:02.500\nOverlaps it.\n\n',
    );
  });

  it('what is no mark of WebVTT is text, and every mark is closed', async () => {
    const { body } = await upload('hostile.srt', await fixture('hostile.srt'));
    expect((await stored(body.data.id)).split('\n\n').slice(1, -1)).toEqual([
      '00:00:01.000 --> 00:00:02.000\n&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;',
      '00:00:03.000 --> 00:00:04.000\n00:09 --&gt; is what the clock said\n<b><i>never closed</i></b>',
      '00:00:05.000 --> 00:00:06.000\n&lt;c.red&gt;colored&lt;/c&gt; &lt;kept&gt; &amp;copy; STYLE',
      '00:00:07.000 --> 00:00:08.000\nNOTE this is no comment',
    ]);
  });

  it('is told by its content, whatever its name; WebVTT stays as it is', async () => {
    const named = await upload('words.txt', await fixture('tour.srt'));
    expect([named.status, named.body.data.type]).toEqual([201, 'text_track']);
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n';
    const kept = await upload('words.srt', vtt);
    expect(await stored(kept.body.data.id)).toBe(vtt);
    expect((await upload('tour.srt', await fixture('tour.srt'), 'image')).status).toBe(415);
  });

  it('says what is wrong with a file that holds no subtitles', async () => {
    const refusal = async (name: string, content: string | Buffer) => {
      const { status, body } = await upload(name, content);
      return [status, ...(body.msg?.file ?? [])];
    };
    const none = [422, expect.stringContaining('The file contains no subtitles')];
    expect(await refusal('wrong.srt', await fixture('wrong-times.srt'))).toEqual([
      422,
      'Line 6: minutes and seconds must be less than 60, as in 00:01:02,500.',
    ]);
    expect(await refusal('prose.srt', 'Dear reader,\nthere are no times here.\n')).toEqual(none);
    expect(await refusal('mute.srt', '1\n00:00:01,000 --> 00:00:02,000\n\n')).toEqual(none);
    expect(await refusal('half.srt', '1\n00:00:01,000 --> \nHalf.\n')).toEqual([
      422,
      'Line 2: use times such as 00:00:01,000 --> 00:00:04,000.',
    ]);
    expect(await refusal('binary.srt', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x00, 0xd8]))).toEqual([
      415,
      expect.any(String),
    ]);
    const many = '00:00:01,000 --> 00:00:02,000\nx\n\n'.repeat(50_001);
    expect(await refusal('many.srt', many)).toEqual([422, 'Use at most 50000 subtitles per file.']);
    expect(await refusal('large.srt', `1\n00:00:01,000 --> 00:00:02,000\n${'x'.repeat(9 * 1024 * 1024)}`)).toEqual([
      422,
      'Use subtitles of at most 8 MB.',
    ]);
  });

  it.each([
    ['marks without end', '<b'.repeat(500_000)],
    ['braces without end', '{\\'.repeat(500_000)],
    ['arrows without end', ' -->'.repeat(500_000)],
    ['open marks', '<i>'.repeat(300_000)],
    ['spaces in front of times', `${' '.repeat(2_000_000)}-->`],
  ])('is read at once with %s', async (_, text) => {
    const timed = async (line: string) => {
      const began = performance.now();
      const { status } = await upload('long.srt', `1\n00:00:01,000 --> 00:00:02,000\nHi\n${line}\n`);
      expect(status).toBeOneOf([201, 422]);
      return performance.now() - began;
    };
    // As many characters in which there is nothing to look for.
    const plain = await timed('word '.repeat(text.length / 5));
    expect(await timed(text)).toBeLessThan(20 * plain);
  });
});
