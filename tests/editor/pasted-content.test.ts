import { describe, expect, test } from 'vitest';
import { contentOf, elementOf } from '../../src/editor/clipboard/pasted-content.ts';
import { videoAt } from '../../src/editor/session/video-address.ts';

describe('the address of a video', () => {
  test.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s', 'youtube', 'dQw4w9WgXcQ'],
    ['https://youtu.be/dQw4w9WgXcQ?si=abc', 'youtube', 'dQw4w9WgXcQ'],
    ['youtube.com/shorts/dQw4w9WgXcQ', 'youtube', 'dQw4w9WgXcQ'],
    ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', 'youtube', 'dQw4w9WgXcQ'],
    ['https://m.youtube.com/live/dQw4w9WgXcQ', 'youtube', 'dQw4w9WgXcQ'],
    ['https://vimeo.com/76979871', 'vimeo', '76979871'],
    ['https://player.vimeo.com/video/76979871?h=8272103f6e', 'vimeo', '76979871/8272103f6e'],
    ['https://vimeo.com/123456789/abcdef1234', 'vimeo', '123456789/abcdef1234'],
    ['vimeo.com/123456789/abcdef1234?share=copy', 'vimeo', '123456789/abcdef1234'],
    ['https://vimeo.com/showcase/7008490/video/407943692', 'vimeo', '407943692'],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL123', 'youtube', 'dQw4w9WgXcQ'],
    ['https://vimeo.com/channels/staffpicks/76979871', 'vimeo', '76979871'],
  ])('%s is reduced to its id', (address, type, id) => {
    expect(videoAt(address)).toEqual({ type, id });
  });

  test.each(['dQw4w9WgXcQ', 'https://example.com/watch?v=dQw4w9WgXcQ', 'vimeo'])('%s is none', (text) => {
    expect(videoAt(text)).toBe(null);
  });
});

describe('another page of a platform', () => {
  test.each([
    ['https://vimeo.com/showcase/7008490', 'Vimeo showcase'],
    ['https://vimeo.com/album/7008490', 'Vimeo album'],
    ['https://vimeo.com/event/7008490/embed', 'Vimeo event'],
    ['https://www.youtube.com/embed/videoseries?list=PL123', 'YouTube playlist'],
    ['https://www.youtube.com/playlist?list=PL123', 'YouTube playlist'],
    ['https://www.youtube.com/embed/live_stream?channel=UC123', 'YouTube channel'],
    ['https://youtube.com/@somebody', 'YouTube channel'],
  ])('%s is refused by its kind', (address, kind) => {
    expect(videoAt(address)).toEqual({ problem: expect.stringContaining(`address of a ${kind}`) });
    expect(contentOf(address)).toEqual({ kind: 'refused', why: expect.stringContaining(kind) });
  });
});

describe('embed code', () => {
  test.each([
    [
      '<iframe width="560" height="315" src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe>',
      'https://www.youtube.com/embed/dQw4w9WgXcQ',
      { width: 560, height: 315 },
    ],
    [
      "<div style='padding:56% 0 0 0'><iframe\n src='//player.vimeo.com/video/1234567?h=abcdef&amp;title=0' allowfullscreen></iframe></div><script src='https://player.vimeo.com/api/player.js'></script>",
      'https://player.vimeo.com/video/1234567?h=abcdef&title=0',
      { width: 800, height: 600 },
    ],
    [
      '<IFRAME SRC=https://example.com/map width=100%></IFRAME>',
      'https://example.com/map',
      { width: 800, height: 600 },
    ],
  ])('%s becomes the page that it shows', (code, src, fields) => {
    expect(contentOf(code)).toMatchObject({ kind: 'element', type: 'iframe', fields, config: { src } });
  });

  test('of a page that cannot be shown is refused, and words about it stay words', () => {
    expect(contentOf('<iframe src="http://example.com"></iframe>')).toMatchObject({ kind: 'refused' });
    expect(contentOf('<iframe src="javascript:alert(1)"></iframe>')).toMatchObject({ kind: 'refused' });
    expect(contentOf('Use <iframe src="https://example.com"> here')).toMatchObject({ type: 'rich_text' });
  });
});

describe('a text that is pasted', () => {
  const position = { x: 1.6, y: -2.2, z: 3 };
  const spot = { position, surface: position, normal: { x: 0, y: 0, z: 1 }, turn: 0.5 };

  test('is a video, an image, a page or words', () => {
    expect(contentOf('https://youtu.be/dQw4w9WgXcQ')).toMatchObject({ type: 'video', config: { id: 'dQw4w9WgXcQ' } });
    expect(contentOf('https://example.com/hall.JPG?w=2')).toEqual({
      kind: 'file',
      name: 'hall.JPG',
      url: 'https://example.com/hall.JPG?w=2',
      linked: null,
    });
    expect(contentOf('https://example.com/about')).toMatchObject({
      type: 'iframe',
      name: 'example.com',
      config: { src: 'https://example.com/about' },
    });
    expect(contentOf('http://example.com')).toEqual({
      kind: 'refused',
      why: 'Use a URL that starts with https://.',
    });
    expect(contentOf('One <b>\r\ntwo\n\nthree')).toMatchObject({
      type: 'rich_text',
      name: 'One <b>',
      config: { body: '<p>One &lt;b&gt;<br>two</p><p>three</p>' },
    });
    expect(contentOf(' \n ')).toBe(null);
  });

  test.each([
    ['·\tOne\r\n·\tTwo & three', 'One', '<ul><li>One</li><li>Two &amp; three</li></ul>'],
    [
      'Hours:\n1.\tMonday\n2.\tTuesday\nClosed',
      'Hours:',
      '<p>Hours:</p><ol><li>Monday</li><li>Tuesday</li></ol><p>Closed</p>',
    ],
    [
      '•\tOne\no\tNested\n§\tDeep\no\tBeside\n•\tTwo',
      'One',
      '<ul><li>One<ul><li>Nested<ul><li>Deep</li></ul></li><li>Beside</li></ul></li><li>Two</li></ul>',
    ],
    [
      '1.\tMonday\na.\tMorning\nb.\tNoon\n2.\tTuesday\n·\tClosed',
      'Monday',
      '<ol><li>Monday<ol><li>Morning</li><li>Noon</li></ol></li><li>Tuesday<ul><li>Closed</li></ul></li></ol>',
    ],
    ['- a dash\n· a dot', '- a dash', '<p>- a dash<br>· a dot</p>'],
  ])('of a word processor keeps its lists: %j', (text, name, body) => {
    expect(contentOf(text)).toMatchObject({ type: 'rich_text', name, config: { body } });
  });

  test.each([
    ['https://example.com/chair.glb?v=2', { kind: 'file', name: 'chair.glb', linked: null }],
    [
      'https://example.com/a%20song.mp3',
      { kind: 'file', name: 'a song.mp3', linked: { type: 'audio', name: 'a song' } },
    ],
    ['https://example.com/%E0%A4.ogg', { kind: 'file', linked: { type: 'audio' } }],
    ['https://example.com/film.mp4#t=10', { kind: 'element', type: 'native_video', name: 'film' }],
    ['https://example.com/live/master.m3u8', { kind: 'element', type: 'native_video', name: 'master' }],
    ['http://example.com/film.webm', { kind: 'refused' }],
    ['https://example.com/mp3', { kind: 'element', type: 'iframe' }],
    ['https://example.com/play?file=film.mp4', { kind: 'element', type: 'iframe' }],
  ])('as a link to a file is an element for that file: %s', (text, wanted) => {
    expect(contentOf(text)).toMatchObject(wanted);
  });

  test('stands where it was put, turned to the wall', () => {
    const content = contentOf('Welcome');
    if (content?.kind !== 'element') throw new Error('It should be an element.');
    expect(elementOf(content, 7, spot)).toMatchObject({
      id: 7,
      element: 'rich_text',
      position_x: 1,
      position_y: -3,
      position_z: 3,
      rotation_y: 0.5,
    });
  });
});
