import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flatElementSchema } from '../../../engine/document/element.ts';
import { isTitle, nextSlide, previousSlide, slideTextOf } from '../../../engine/scene/events/slider.ts';
import { type FeedLayout, layoutFeed, type Placement } from '../../../engine/scene/feeds/feed-layout.ts';
import { addDeadline, createDeadlines, takeDeadline } from '../../../engine/scene/media/deadlines.ts';
import { frameAt } from '../../../engine/scene/motion/motion-clock.ts';
import { formatHours, formatTime } from '../../../engine/scene/timed/time-format.ts';
import { traceRows } from '../../../engine/scene/trace.ts';
import { formatTrace } from '../../harness/format-trace.ts';

describe('a countdown and a timer read', () => {
  it.for([
    [0, '00:00:00', '00:00'],
    [-3, '00:00:00', '00:00'],
    [0.01, '00:00:01', '00:01'],
    [59, '00:00:59', '00:59'],
    [59.5, '00:01:00', '01:00'],
    [3599, '00:59:59', '59:59'],
    [3599.99, '01:00:00', '01:00:00'],
    [3723, '01:02:03', '01:02:03'],
    [90_000, '25:00:00', '25:00:00'],
  ] as const)('%d seconds as %s and as %s', ([seconds, countdown, timer]) => {
    expect(formatHours(seconds)).toBe(countdown);
    expect(formatTime(seconds)).toBe(timer);
  });
});

describe('a slider', () => {
  it('wraps around at both ends', () => {
    expect([0, 1, 2].map((index) => nextSlide(index, 3))).toEqual([1, 2, 0]);
    expect([0, 1, 2].map((index) => previousSlide(index, 3))).toEqual([2, 0, 1]);
    expect(nextSlide(0, 1)).toBe(0);
    expect(previousSlide(0, 1)).toBe(0);
  });

  it('shows texts of fewer than 50 characters as a title', () => {
    expect(isTitle('x'.repeat(49))).toBe(true);
    expect(isTitle('x'.repeat(50))).toBe(false);
    // As people count: two code units each.
    expect(isTitle('🌍'.repeat(49))).toBe(true);
    const text = (words: string) => flatElementSchema.parse({ id: 1, element: 'text', config: { text: words } });
    const image = (title: string, words: string) =>
      flatElementSchema.parse({ id: 1, element: 'image', config: { title, text: words } });
    expect(slideTextOf(text('Short'))).toEqual({ title: 'Short', text: '' });
    expect(slideTextOf(text('x'.repeat(50)))).toEqual({ title: '', text: 'x'.repeat(50) });
    expect(slideTextOf(image('Hall', 'Short'))).toEqual({ title: 'Hall', text: 'Short' });
    expect(slideTextOf(image('', 'Short'))).toEqual({ title: 'Short', text: '' });
    expect(slideTextOf(flatElementSchema.parse({ id: 1, element: 'video', name: 'Film' }))).toEqual({
      title: 'Film',
      text: '',
    });
  });
});

describe('a frame of motion capture', () => {
  it('is the floor of time times 50 where the file gives no frame time', () => {
    for (let frame = 0; frame < 500; frame++) {
      expect(frameAt(frame / 50, 1000)).toBe(frame);
      expect(frameAt(frame / 50 + 0.019, 1000)).toBe(frame);
    }
  });

  it('follows the frame time of the file, and starts over at the end', () => {
    expect(frameAt(1, 1000, 1 / 30)).toBe(30);
    expect(frameAt(0.99, 1000, 1 / 30)).toBe(29);
    expect(frameAt(2, 100)).toBe(0);
    expect(frameAt(-0.02, 100)).toBe(99);
    expect(frameAt(5, 0)).toBe(0);
  });
});

const SIZE = { width: 200, height: 120 };
const layouts: FeedLayout[] = ['zigzag', 'fixed', 'cloud'];

/** Whether two upright, turned planks of the same size have no point in common: by a separating axis on the ground. */
function areApart(a: Placement, b: Placement): boolean {
  if (Math.abs(a.y - b.y) >= SIZE.height) return true;
  const half = SIZE.width / 2;
  const along = ({ rotation_y }: Placement) => ({ x: Math.cos(rotation_y), z: -Math.sin(rotation_y) });
  const across = ({ rotation_y }: Placement) => ({ x: Math.sin(rotation_y), z: Math.cos(rotation_y) });
  return [along(a), along(b), across(a), across(b)].some(({ x, z }) => {
    const reach = (plank: Placement) => half * Math.abs(along(plank).x * x + along(plank).z * z);
    return Math.abs((b.x - a.x) * x + (b.z - a.z) * z) > reach(a) + reach(b);
  });
}

describe('a feed', () => {
  it.for(layouts)('as %s has a place for each item, the same for the same seed, and none overlap', (layout) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.integer(), (count, seed) => {
        const places = layoutFeed(layout, count, seed, SIZE);
        expect(places).toHaveLength(count);
        expect(layoutFeed(layout, count, seed, SIZE)).toEqual(places);
        for (const [index, place] of places.entries()) {
          expect(Object.values(place).every(Number.isFinite)).toBe(true);
          for (const other of places.slice(index + 1))
            if (!areApart(place, other)) expect([place, other]).toBe('apart');
        }
      }),
      { numRuns: layout === 'cloud' ? 40 : 10 },
    );
  });

  it('as a cloud differs from seed to seed, and grows in all directions', () => {
    expect(layoutFeed('cloud', 20, 1, SIZE)).not.toEqual(layoutFeed('cloud', 20, 2, SIZE));
    const places = layoutFeed('cloud', 200, 5, SIZE);
    for (const axis of ['x', 'y', 'z'] as const) {
      const values = places.map((place) => place[axis] / (axis === 'y' ? SIZE.height : SIZE.width));
      // A ball of 200 cells of 1.5 × 1.5 × 1 has a radius of 4.75.
      expect(Math.max(...values)).toBeGreaterThan(3.5);
      expect(Math.min(...values)).toBeLessThan(-3.5);
      expect(Math.max(...values.map(Math.abs))).toBeLessThan(6);
    }
  });

  it('as a wall fills rows from the top left', () => {
    const places = layoutFeed('fixed', 5, 0, SIZE);
    expect(places.map(({ x, y }) => [x, y])).toEqual([
      [-250, 75],
      [0, 75],
      [250, 75],
      [-250, -75],
      [0, -75],
    ]);
  });
});

describe('deadlines', () => {
  it('come in the order of their times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 60 }), (times) => {
        const heap = createDeadlines();
        for (const [index, time] of times.entries()) addDeadline(heap, time, index + 1);
        const taken: number[] = [];
        while (heap.count > 0) {
          const first = heap.times[0]!;
          expect(times[takeDeadline(heap) - 1]).toBe(first);
          taken.push(first);
        }
        expect(taken).toEqual(times.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('a trace', () => {
  it('is a table of aligned columns, with what sensors say in the order of their elements', () => {
    const sensor = (element_id: number) =>
      ({ type: 'proximity', element_id, zone: 'fading', volume: 0.123456 }) as const;
    const rows = traceRows(12.5, [
      sensor(20),
      sensor(3),
      { type: 'media.play', element_id: 3, at: 1.5, muted: false, volume: 100 },
      sensor(2),
      {
        type: 'view_point',
        element_id: 7,
        position: { x: 1, y: 2, z: 3 },
        target: { x: 0, y: 0, z: 0 },
        damping: 0.05,
      },
      { type: 'camera_reset' },
    ]);
    expect(formatTrace([...rows, { time: 100, event: 'timed', element: '', detail: 'ended' }])).toBe(
      `time  event         element  detail
12.5  proximity           3  fading, volume 0.1235
12.5  proximity          20  fading, volume 0.1235
12.5  media.play          3  at 1.5, not muted, volume 100
12.5  proximity           2  fading, volume 0.1235
12.5  view_point          7  position 1 2 3, target 0 0 0, damping 0.05
12.5  camera_reset
 100  timed                  ended
`,
    );
  });
});
