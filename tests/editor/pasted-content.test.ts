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
    ['https://player.vimeo.com/video/76979871?h=8272103f6e', 'vimeo', '76979871'],
    ['https://vimeo.com/channels/staffpicks/76979871', 'vimeo', '76979871'],
  ])('%s is reduced to its id', (address, type, id) => {
    expect(videoAt(address)).toEqual({ type, id });
  });

  test.each(['dQw4w9WgXcQ', 'https://example.com/watch?v=dQw4w9WgXcQ', 'https://youtube.com/@somebody', 'vimeo'])(
    '%s is none',
    (text) => {
      expect(videoAt(text)).toBe(null);
    },
  );
});

describe('a text that is pasted', () => {
  const position = { x: 1.6, y: -2.2, z: 3 };
  const spot = { position, surface: position, normal: { x: 0, y: 0, z: 1 }, turn: 0.5 };

  test('is a video, an image, a page or words', () => {
    expect(contentOf('https://youtu.be/dQw4w9WgXcQ')).toMatchObject({ type: 'video', config: { id: 'dQw4w9WgXcQ' } });
    expect(contentOf('https://example.com/hall.JPG?w=2')).toEqual({
      kind: 'image',
      url: 'https://example.com/hall.JPG?w=2',
    });
    expect(contentOf('https://example.com/about')).toMatchObject({
      type: 'iframe',
      name: 'example.com',
      config: { src: 'https://example.com/about' },
    });
    expect(contentOf('http://example.com')).toEqual({
      kind: 'refused',
      why: 'Use an address that begins with https://.',
    });
    expect(contentOf('One <b>\r\ntwo\n\nthree')).toMatchObject({
      type: 'rich_text',
      name: 'One <b>',
      config: { body: '<p>One &lt;b&gt;<br>two</p><p>three</p>' },
    });
    expect(contentOf(' \n ')).toBe(null);
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
