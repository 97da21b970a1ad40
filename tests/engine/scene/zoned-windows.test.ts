import { describe, expect, it } from 'vitest';
import { parseRoom } from '../../../engine/document/room.ts';
import { isOpenAt } from '../../../engine/document/window.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import type { TickInput } from '../../../engine/scene/tick-input.ts';
import { PLAIN_POSE } from '../../harness/scene-player.ts';

const tickAt = (time: number): TickInput => ({ time, camera: PLAIN_POSE });
const HOUR = 3600;
const at = (text: string) => Date.parse(text) / 1000;

/** Three elements that are visible for an hour each evening or night, each in a zone of its own. */
const room = parseRoom({
  id: 1,
  title: 'Zones',
  elements: [
    ['Europe/Amsterdam', '20:00', '21:00'],
    ['America/New_York', '23:30', '00:30'],
    ['Australia/Lord_Howe', '01:30', '02:15'],
  ].map(([time_zone, start_time, end_time], index) => ({
    id: index + 1,
    element: 'image',
    time_zone,
    start_time,
    end_time,
  })),
});

const clockChanges = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'];

describe.each(clockChanges)('around the clock change of %s', (day) => {
  const epoch = at(`${day}T00:00Z`) - 24 * HOUR;

  it('windows open and close as the clocks of their zones have it, however time moves', () => {
    const forwards = createEditableScene(room, { epoch });
    for (let time = 0; time < 72 * HOUR; time += 900) {
      forwards.tick(tickAt(time));
      const jumped = createEditableScene(room, { epoch });
      jumped.tick(tickAt(72 * HOUR - time));
      for (const element of room.elements) {
        const visible = (scene: typeof forwards) => scene.state().elements[element.id]?.visible;
        expect(visible(forwards), `${element.time_zone} at ${time}`).toBe(isOpenAt(element, epoch + time));
        expect(visible(jumped)).toBe(isOpenAt(element, epoch + 72 * HOUR - time));
      }
      jumped.dispose();
    }
  });
});

describe('a window in a zone', () => {
  const states = (epoch: number, times: readonly number[]) => {
    const scene = createEditableScene(room, { epoch });
    return times.map((time) => {
      scene.tick(tickAt(time));
      return scene.state().elements[1]?.visible;
    });
  };

  it('is at the same local time in summer and in winter, in a visit that lasts from one to the other', () => {
    const epoch = at('2026-10-24T00:00Z');
    const evenings = [18, 19, 24 + 18, 24 + 19, 24 + 20].map((hour) => hour * HOUR);
    expect(states(epoch, evenings)).toEqual([true, false, false, true, false]);
  });

  it('opens in a room whose time began between two seconds', () => {
    const epoch = at('2026-10-24T17:59:50Z') + 0.123456789;
    const opens = at('2026-10-24T18:00Z') - epoch;
    expect(states(epoch, [opens - 1, opens - 0.001, opens, opens + 0.016])).toEqual([false, false, true, true]);
  });

  it('follows an edit of its zone', () => {
    const epoch = at('2026-10-24T00:00Z');
    const scene = createEditableScene(room, { epoch });
    scene.tick(tickAt(18.5 * HOUR));
    const visible = () => scene.state().elements[1]?.visible;
    expect(visible()).toBe(true);
    scene.patch({ type: 'element.update', id: 1, fields: { time_zone: 'Europe/London' } });
    scene.tick(tickAt(18.5 * HOUR + 1));
    expect(visible()).toBe(false);
    scene.patch({ type: 'element.update', id: 1, fields: { time_zone: null, utc_offset: -120 } });
    scene.tick(tickAt(18.5 * HOUR + 2));
    expect(visible()).toBe(true);
  });
});
