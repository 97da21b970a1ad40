import { describe, expect, test } from 'vitest';
import { BUDGETS, budgetFiles, DEVICES, type MediaFacts, roomBudget } from '../../../engine/document/budget.ts';
import { MEASURES } from '../../../engine/document/costs.ts';
import { parseRoom } from '../../../engine/document/room.ts';

const MB = 1024 * 1024;
const media = new Map<number, MediaFacts>([
  [7, { bytes: 2 * MB, width: 2048, height: 1024, details: {} }],
  [8, { bytes: 5 * MB, details: { triangles: 400_000, draw_calls: 30, texture_pixels: 1024 * 1024 } }],
  [9, { bytes: 1 * MB, details: { triangles: 100, draw_calls: 1 } }],
  [10, { bytes: 6 * MB, details: { splats: 500_000 } }],
]);
const roomOf = (...elements: object[]) =>
  parseRoom({ id: 1, title: 'Hall', elements: elements.map((element, index) => ({ id: index + 1, ...element })) });
const empty = roomBudget(roomOf(), media).totals;

/** What elements add to an empty room. */
function added(...elements: object[]) {
  const { totals } = roomBudget(roomOf(...elements), media);
  return Object.fromEntries(MEASURES.map((measure) => [measure, totals[measure] - empty[measure]]));
}

describe('the budget of a room', () => {
  test('an empty room needs its walls and nothing else', () => {
    expect(empty).toEqual({
      triangles: 12,
      splats: 0,
      texture_bytes: 0,
      draw_calls: 7,
      download_bytes: 0,
      dom_elements: 0,
    });
    for (const device of DEVICES)
      for (const measure of MEASURES) expect(empty[measure]).toBeLessThan(BUDGETS[device][measure] / 10);
  });

  test('a picture counts its pixels with their smaller copies, and its bytes once however often it hangs', () => {
    const one = { triangles: 2, splats: 0, texture_bytes: Math.round((2048 * 1024 * 4 * 4) / 3), draw_calls: 1 };
    expect(added({ element: 'image', file_id: 7 })).toEqual({ ...one, download_bytes: 2 * MB, dom_elements: 0 });
    expect(added({ element: 'image', file_id: 7 }, { element: 'image', file_id: 7 })).toMatchObject({
      texture_bytes: one.texture_bytes,
      download_bytes: 2 * MB,
      draw_calls: 2,
    });
  });

  test('a model counts what was found in its file, drawn as often as it stands there', () => {
    expect(added({ element: 'model', file_id: 8 }, { element: 'model', file_id: 8 })).toMatchObject({
      triangles: 800_000,
      splats: 0,
      draw_calls: 60,
      download_bytes: 5 * MB,
      texture_bytes: Math.round((MB * 4 * 4) / 3),
    });
  });

  test('a splat model counts its splats, all drawn together', () => {
    expect(added({ element: 'model', file_id: 10 })).toMatchObject({
      triangles: 0,
      splats: 500_000,
      draw_calls: 1,
      download_bytes: 6 * MB,
    });
  });

  test('frames and shadows of images are drawn together, by their own settings or those of the template', () => {
    const image = { element: 'image', file_id: 7 };
    const framed = { ...image, config: { frame_width: 10, contact_shadow: 0.5 } };
    expect(added(framed, framed, image)).toMatchObject({ triangles: 3 * 2 + 2 * (42 + 2), draw_calls: 3 + 2 });
    const many = Array.from({ length: 2000 }, () => image);
    expect(added(framed, ...many).draw_calls).toBe(added(...many).draw_calls! + 2);
    const template = { id: 1, name: 'Gallery', config: { frame_width: 10 } };
    const room = parseRoom({ id: 1, title: 'Hall', template, elements: [{ id: 1, ...image }] });
    expect(roomBudget(room, media).totals.triangles - empty.triangles).toBe(2 + 42);
  });

  test('many images share the memory and the draw calls that the stage gives them', () => {
    const images = Array.from({ length: 2000 }, () => ({ element: 'image', file_id: 7 }));
    const { draw_calls, texture_bytes } = added(...images);
    expect(draw_calls).toBeLessThanOrEqual(60);
    expect(texture_bytes).toBeLessThanOrEqual(150 * MB);
    expect(added(...images.slice(0, 40)).draw_calls).toBe(40);
  });

  test('a lighter version counts instead of its file', () => {
    const lighter = new Map(media);
    lighter.set(8, { ...media.get(8)!, optimized: { bytes: MB, gpu_bytes: 400_000 } });
    const { elements } = roomBudget(roomOf({ element: 'model', file_id: 8 }), lighter);
    expect(elements.find(({ file_id }) => file_id === 8)?.costs).toMatchObject({
      download_bytes: MB,
      texture_bytes: 400_000,
    });
  });

  test('what is hidden is not delivered, and so are those in a hidden group', () => {
    const group = { element: 'group', hidden: true, children: [{ id: 9, element: 'model', file_id: 8 }] };
    expect(Object.values(added(group, { element: 'button', hidden: true }))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(budgetFiles(roomOf(group, { element: 'image', file_id: 7 }))).toEqual([7]);
  });

  test('pieces of page are counted, and a light with shadows draws everything again', () => {
    expect(added({ element: 'button' }, { element: 'html' }, { element: 'iframe' })).toMatchObject({ dom_elements: 3 });
    const light = { element: 'light', config: { light_type: 'point_light', cast_shadow: true } };
    expect(added(light)).toMatchObject({ draw_calls: 7 * 6 });
  });

  test('the heaviest come first, and files that nobody knows are named', () => {
    const { elements, unknown } = roomBudget(
      roomOf(
        { element: 'image', name: 'Portrait', file_id: 7 },
        { element: 'model', name: 'Statue', file_id: 8 },
        { element: 'model', file_id: 9 },
        { element: 'image', config: { file_url: 'https://example.org/a.jpg' } },
        { element: 'image' },
      ),
      media,
    );
    expect(elements.slice(0, 2).map(({ name }) => name)).toEqual(['Statue', 'Portrait']);
    expect(unknown).toEqual([3, 4]);
  });

  test('of a wide panorama the picture of 4096 pixels is counted, and the tiles that are kept', () => {
    const template = { id: 3, name: 'Sky', model_type: 'pano', file_id: 7 };
    const bytesOf = (width: number) => {
      const facts = new Map([[7, { bytes: 1000, width, height: width / 2, details: {} }]]);
      return roomBudget(parseRoom({ id: 1, title: 'Room', template_id: 3, template }), facts).totals.texture_bytes;
    };
    expect(bytesOf(4096)).toBe(4096 * 2048 * 4);
    expect(bytesOf(5000)).toBe((4096 * 2048 + 5000 * 2500) * 4);
    expect(bytesOf(16_384)).toBe((4096 * 2048 + 24 * 1024 * 1024) * 4);
  });

  test('a panorama and what belongs to the template are counted with it', () => {
    const template = { id: 3, name: 'Sky', model_type: 'pano', file_id: 7, logo_file_id: 9 };
    const room = parseRoom({ id: 1, title: 'Hall', template_id: 3, template });
    expect(budgetFiles(room)).toEqual([7, 9]);
    expect(roomBudget(room, media).totals).toEqual({
      triangles: 96 * 48 * 2,
      splats: 0,
      texture_bytes: 2048 * 1024 * 4,
      draw_calls: 1,
      download_bytes: 3 * MB,
      dom_elements: 0,
    });
  });
});
