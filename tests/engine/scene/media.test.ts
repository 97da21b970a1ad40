import { describe, expect, it } from 'vitest';
import { parseRoom } from '../../../engine/document/room.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import type { VisitorInput } from '../../../engine/scene/scene.ts';
import { lineOf, poseOf } from '../../harness/scene-player.ts';

const entered: VisitorInput = { type: 'entered' };
const file = (duration: number) => ({ id: 9, name: 'clip', type: 'video', url: '/media/9/clip', duration });
const sensor = (distance: number) => ({ proximity_sensor: true, proximity_sensor_distance: distance });

/** A room of media at the origin, numbered from 1 on, and what a tick tells. */
function playing(elements: object[], config: object = {}, epoch = 0) {
  const list = elements.map((fields, index) => ({ id: index + 1, element: 'video', ...fields }));
  const scene = createEditableScene(parseRoom({ id: 1, title: 'Media', config, elements: list }), { epoch });
  let camera = poseOf();
  const tick = (time: number, ...input: VisitorInput[]): string[] => {
    scene.tick({ time, camera, input });
    return scene.events.filter(({ type }) => type.startsWith('media.') || type === 'fullscreen.off').map(lineOf);
  };
  const media = (id: number) => scene.media(scene.entityOf(id)!)!;
  const look = (z: number, turn = 0) => {
    camera = poseOf({ position: [0, 0, z], turn });
  };
  return { scene, tick, media, look };
}

const TICK = 1 / 64;

describe('media', () => {
  describe('with a measured loudness', () => {
    const measured = (gain: number) => ({ ...file(20), gain });
    const sound = (gain: number, config: object = {}) => ({
      element: 'audio',
      file: measured(gain),
      config: { autoplay: true, ...config },
    });

    it('plays at the volume that evens it out, and louder than its file where it has to', () => {
      const { tick, media } = playing([sound(-6), { ...sound(6), element: 'native_video' }, sound(0)]);
      expect(tick(0, entered)).toEqual([
        'media.play 1 at 0, not muted, volume 50.12',
        'media.play 2 at 0, not muted, volume 199.53',
        'media.play 3 at 0, not muted, volume 100',
      ]);
      expect(tick(1, { type: 'volume', element_id: 1, volume: 50 })).toEqual(['media.volume 1 volume 25.06']);
      expect(media(2).volume).toBeCloseTo(100 * 10 ** (6 / 20));
    });

    it('combines with the volume of a sensor and the master volume', () => {
      const near = { ...sensor(500), proximity_sensor_audio_only: true };
      const { tick, look, media } = playing([sound(0, near), sound(-20, near)]);
      tick(0, entered, { type: 'volume_all', volume: 50 });
      look(400);
      tick(1);
      expect(media(1).volume).toBeGreaterThan(0);
      expect(media(2).volume).toBeCloseTo(media(1).volume / 10);
    });

    it('plays unchanged if the element turns it off, and from another source', () => {
      const direct_url = 'https://example.com/film.mp4';
      const { tick } = playing([
        sound(-6, { even_loudness: false }),
        { ...sound(-6, { direct_url }), element: 'native_video' },
      ]);
      expect(tick(0, entered)).toEqual([
        'media.play 1 at 0, not muted, volume 100',
        'media.play 2 at 0, not muted, volume 100',
      ]);
    });

    it('changes its volume while it plays, once its file is measured', () => {
      const { scene, tick } = playing([{ ...sound(0), file: file(20) }]);
      tick(0, entered);
      scene.patch({ type: 'element.update', id: 1, fields: { file: measured(-12) } });
      expect(tick(1)).toEqual(['media.volume 1 volume 25.12']);
    });
  });

  it('that begins by itself waits for the visitor to enter', () => {
    const { tick, media } = playing([{ config: { autoplay: true } }, {}]);
    expect(tick(0)).toEqual([]);
    expect(tick(100)).toEqual([]);
    expect(tick(200, entered)).toEqual(['media.play 1 at 0, not muted, volume 100']);
    expect(tick(201, entered)).toEqual([]);
    expect(media(1).at).toBe(1);
    expect(media(2).status).toBe('stopped');
  });

  it('ends at its length: not a tick before, once, and not again', () => {
    const { tick, media } = playing([{ file: file(10), config: { autoplay: true } }]);
    tick(5, entered);
    expect(tick(15 - TICK)).toEqual([]);
    expect(media(1)).toMatchObject({ status: 'playing', at: 10 - TICK });
    expect(tick(15)).toEqual(['media.ended 1']);
    expect(media(1)).toMatchObject({ status: 'ended', at: 10 });
    expect(tick(15 + TICK)).toEqual([]);
    expect(tick(100, { type: 'ended', element_id: 1 })).toEqual([]);
    // Back before its end it plays again, from where that time has it.
    expect(tick(12)).toEqual(['media.play 1 at 7, not muted, volume 100']);
    expect(tick(15)).toEqual(['media.ended 1']);
  });

  it('that paused ends as much later', () => {
    const { tick, media } = playing([{ file: file(10), config: { autoplay: true } }]);
    tick(0, entered);
    tick(4, { type: 'pause', element_id: 1 });
    expect(tick(50)).toEqual([]);
    tick(50, { type: 'play', element_id: 1 });
    expect(tick(56 - TICK)).toEqual([]);
    expect(tick(56)).toEqual(['media.ended 1']);
    expect(media(1).at).toBe(10);
  });

  it('whose player is elsewhere is where its player is', () => {
    const { tick, media } = playing([{ file: file(100), config: { autoplay: true } }]);
    tick(0, entered);
    expect(tick(10, { type: 'progress', element_id: 1, at: 40 })).toEqual([]);
    expect(media(1).at).toBe(40);
    // A player that stutters a little is not.
    tick(20, { type: 'progress', element_id: 1, at: 49.95 });
    expect(media(1).at).toBe(50);
    expect(tick(70 - TICK)).toEqual([]);
    expect(tick(70)).toEqual(['media.ended 1']);
  });

  it('that follows the room is sought when it is off by more than it may be, and only then', () => {
    const { tick } = playing([{ config: { timed: true, timed_max_out_of_sync: 2 } }], { duration: 1000 });
    expect(tick(300, entered)).toEqual(['media.play 1 at 300, not muted, volume 100']);
    expect(tick(301, { type: 'progress', element_id: 1, at: 299 })).toEqual([]);
    expect(tick(302, { type: 'progress', element_id: 1, at: 304 })).toEqual([]);
    expect(tick(303, { type: 'progress', element_id: 1, at: 300.9 })).toEqual(['media.seek 1 at 303']);
    expect(tick(304, { type: 'progress', element_id: 1, at: 306.1 })).toEqual(['media.seek 1 at 304']);
    // A jump of the room's time is no player's fault: all are sought at once.
    expect(tick(600)).toEqual(['media.seek 1 at 600']);
    expect(tick(100)).toEqual(['media.seek 1 at 100']);
    // A player does not come along with a small step, but is not off either.
    expect(tick(102)).toEqual([]);
  });

  it('that follows the room in a loop wraps, and is measured around the wrap', () => {
    const { tick, media } = playing([
      { file: file(60), config: { timed: true, loop: true, timed_max_out_of_sync: 2 } },
    ]);
    expect(tick(130, entered)).toEqual(['media.play 1 at 10, not muted, volume 100']);
    for (let time = 131; time < 180; time++) expect(tick(time)).toEqual([]);
    expect(media(1).at).toBe(59);
    expect(tick(180 - TICK, { type: 'progress', element_id: 1, at: 1 })).toEqual([]);
    expect(tick(181, { type: 'progress', element_id: 1, at: 59.5 })).toEqual([]);
    expect(tick(182, { type: 'progress', element_id: 1, at: 59.5 })).toEqual(['media.seek 1 at 2']);
  });

  it('that follows the room begins with it and ends with it', () => {
    const { tick, media } = playing([{ config: { timed: true } }, { config: { autoplay: true } }], { duration: 20 });
    expect(tick(-TICK, entered)).toEqual(['media.play 2 at 0, not muted, volume 100']);
    expect(tick(0)).toEqual(['media.play 1 at 0, not muted, volume 100']);
    expect(tick(20 - TICK)).toEqual(['media.seek 1 at 19.9844']);
    expect(tick(20)).toEqual(['media.stop 1']);
    expect(media(2).status).toBe('playing');
    expect(tick(20 - TICK)).toEqual(['media.play 1 at 19.9844, not muted, volume 100']);
    expect(tick(-TICK)).toEqual(['media.stop 1']);
  });

  it('that follows a timed room does not begin before it, though its window opened earlier', () => {
    const window = { visible_between: { from: 9 * 3600, till: 23 * 3600 }, config: { timed: true } };
    const at10 = playing([window], { duration: 1000 }, 10 * 3600);
    expect(at10.tick(-TICK, entered)).toEqual([]);
    expect(at10.tick(100)).toEqual(['media.play 1 at 100, not muted, volume 100']);
    // Without a sequence the window is all there is.
    expect(playing([window], {}, 10 * 3600).tick(100, entered)).toEqual([
      'media.play 1 at 3700, not muted, volume 100',
    ]);
  });

  it('keeps to the offset of its document when clocks are changed: the same UTC second on every day', () => {
    const from = 20 * 3600;
    const window = { from, till: from + 3600 };
    // 20:00 in Berlin's summer is 18:00 UTC, on the last Sunday of October too.
    const { tick } = playing([{ visible_between: window, utc_offset: -120, config: { timed: true } }], {}, 0);
    const opens = 18 * 3600;
    for (const day of [0, 86_400, 2 * 86_400, 180 * 86_400]) {
      tick(day + opens - 1, entered);
      expect(tick(day + opens - TICK)).toEqual([]);
      expect(tick(day + opens)).toEqual(['media.play 1 at 0, not muted, volume 100']);
      expect(tick(day + opens + 1)).toEqual([]);
      expect(tick(day + opens + 3600)).toEqual(['media.stop 1']);
    }
  });

  it('that is hidden, or whose window closes, stops, and begins anew when it comes back', () => {
    const { scene, tick, media } = playing([
      { config: { autoplay: true } },
      { config: { autoplay: true }, visible_between: { from: 10, till: 20 } },
    ]);
    expect(tick(0, entered)).toEqual(['media.play 1 at 0, not muted, volume 100']);
    expect(tick(10 - TICK)).toEqual([]);
    expect(tick(10)).toEqual(['media.play 2 at 0, not muted, volume 100']);
    expect(tick(20 - TICK)).toEqual([]);
    expect(tick(20)).toEqual(['media.stop 2']);
    scene.patch({ type: 'element.update', id: 1, fields: { hidden: true } });
    expect(tick(21)).toEqual(['media.stop 1']);
    expect(tick(22, { type: 'play', element_id: 1 }, { type: 'select', element_id: 1 })).toEqual([]);
    scene.patch({ type: 'element.update', id: 1, fields: { hidden: false } });
    expect(tick(30)).toEqual(['media.play 1 at 0, not muted, volume 100']);
    expect(media(1).at).toBe(0);
  });

  it('that is removed is silent, and its entity may go to another', () => {
    const { scene, tick } = playing([{ config: { autoplay: true } }, { config: { autoplay: true } }]);
    tick(0, entered, { type: 'fullpage', element_id: 1, on: true }, { type: 'refused', element_id: 1 });
    tick(1, { type: 'refused', element_id: 1 });
    const [first] = scene.room.elements;
    scene.patch({ type: 'element.remove', id: 1 });
    expect(tick(2, { type: 'play', element_id: 1 })).toEqual(['media.muted_fallback_cleared']);
    scene.patch({ type: 'element.add', elements: [{ ...first!, id: 3 }], parent: null, after: null });
    expect(tick(3)).toEqual(['media.play 3 at 0, not muted, volume 100']);
    expect(tick(4, { type: 'leave_fullscreen' })).toEqual(['fullscreen.off']);
  });

  it('takes over new settings while it plays', () => {
    const { scene, tick, media } = playing([{ config: { autoplay: true } }]);
    tick(0, entered);
    const set = (config: object) => scene.patch({ type: 'element.update', id: 1, fields: { config } as never });
    set({ muted: true });
    expect(tick(1)).toEqual(['media.mute 1']);
    set({ autoplay: false });
    expect(tick(2)).toEqual(['media.stop 1']);
    set({ autoplay: true, muted: false, timed: true });
    expect(tick(50)).toEqual(['media.play 1 at 50, not muted, volume 100']);
    scene.patch({ type: 'element.update', id: 1, fields: { file: file(60) } });
    expect(tick(51)).toEqual([]);
    expect(tick(60)).toEqual(['media.ended 1']);
    expect(media(1).status).toBe('ended');
  });

  it('keeps to bounds: volumes, positions, and what is said about others', () => {
    const { scene, tick, media } = playing([{ file: file(30) }, { element: 'image' }]);
    tick(0, entered, { type: 'play', element_id: 1 }, { type: 'volume', element_id: 1, volume: 500 });
    expect(media(1).volume).toBe(100);
    tick(1, { type: 'volume', element_id: 1, volume: -3 });
    expect(media(1).volume).toBe(0);
    tick(2, { type: 'volume', element_id: 1 });
    expect(media(1).volume).toBe(100);
    tick(3, { type: 'volume', element_id: 1, volume: Number.NaN });
    expect(media(1).volume).toBe(100);
    expect(tick(4, { type: 'seek', element_id: 1, at: -5 })).toEqual(['media.seek 1 at 0']);
    expect(tick(5, { type: 'seek', element_id: 1, at: Number.NaN })).toEqual(['media.seek 1 at 0']);
    const others: VisitorInput[] = [
      { type: 'play', element_id: 2 },
      { type: 'fullpage', element_id: 2, on: true },
      { type: 'ended', element_id: 77 },
    ];
    expect(tick(6, ...others)).toEqual([]);
    expect(scene.media(scene.entityOf(2)!)).toBeUndefined();
  });

  it('is muted room-wide, also what begins later, until the room is unmuted', () => {
    const { scene, tick, media } = playing([{ config: { autoplay: true } }, { config: { muted: true } }, {}]);
    tick(0, entered);
    expect(tick(1, { type: 'mute_all' })).toEqual(['media.mute 1']);
    const [model] = scene.room.elements;
    scene.patch({ type: 'element.add', elements: [{ ...model!, id: 4 }], parent: null });
    expect(tick(2, { type: 'play', element_id: 3 })).toEqual([
      'media.play 3 at 0, muted, volume 100',
      'media.play 4 at 0, muted, volume 100',
    ]);
    expect(tick(3, { type: 'unmute', element_id: 4 })).toEqual(['media.unmute 4']);
    expect(tick(4, { type: 'unmute_all' })).toEqual(['media.unmute 1', 'media.unmute 3']);
    expect([1, 2, 3, 4].map((id) => media(id).muted)).toEqual([false, false, false, false]);
  });
});

describe('media with a sensor', () => {
  it('has a volume to be read each tick while it fades', () => {
    const { scene, tick, look, media } = playing([{ config: sensor(1000) }]);
    const entity = scene.entityOf(1)!;
    look(950);
    tick(0, entered, { type: 'volume', element_id: 1, volume: 50 });
    const heard = [950, 900, 850, 801].map((z, index) => {
      look(z);
      expect(tick(index + 1)).toEqual([]);
      return scene.mediaVolume(entity);
    });
    expect(heard.map((volume) => Math.round(volume * 100) / 100)).toEqual([12.5, 25, 37.5, 49.75]);
    look(700);
    expect(tick(10)).toEqual(['media.volume 1 volume 50']);
    expect(media(1).volume).toBe(50);
  });

  it('waits for the visitor to enter, and is heard although its document mutes it', () => {
    const { tick, look } = playing([{ config: { ...sensor(1000), muted: true } }]);
    look(100);
    expect(tick(0)).toEqual([]);
    expect(tick(1, entered)).toEqual(['media.play 1 at 0, not muted, volume 100']);
    expect(tick(2, { type: 'mute', element_id: 1 })).toEqual(['media.mute 1']);
    look(5000);
    tick(3);
    look(100);
    // What the visitor muted stays so.
    expect(tick(4)).toEqual(['media.play 1 at 0, muted, volume 100']);
  });

  it('begins in view only, wherever the visitor enters', () => {
    const { tick, look, media } = playing([{ config: sensor(1000) }]);
    look(300, 180);
    expect(tick(0, entered)).toEqual([]);
    expect(tick(1, { type: 'play', element_id: 1 })).toEqual([]);
    expect(media(1).status).toBe('stopped');
    look(300);
    expect(tick(2)).toEqual(['media.play 1 at 0, not muted, volume 100']);
  });

  it('that wants to be alone pauses the others each time it comes', () => {
    const { tick, look } = playing([
      { config: { autoplay: true } },
      { config: { ...sensor(500), pause_others: true } },
    ]);
    look(2000);
    expect(tick(0, entered)).toEqual(['media.play 1 at 0, not muted, volume 100']);
    look(100);
    expect(tick(1)).toEqual(['media.play 2 at 0, not muted, volume 100', 'media.pause 1']);
    look(2000);
    expect(tick(2)).toEqual(['media.stop 2']);
    expect(tick(3, { type: 'play', element_id: 1 })).toEqual(['media.play 1 at 1, not muted, volume 100']);
    look(100);
    expect(tick(4)).toEqual(['media.play 2 at 0, not muted, volume 100', 'media.pause 1']);
  });
});

describe('a player that stutters', () => {
  it('moves nothing, however often it says where it is', () => {
    const { tick, media } = playing([{ file: file(2000), config: { autoplay: true } }]);
    tick(0, entered);
    for (let time = 1; time < 1000; time++)
      expect(tick(time, { type: 'progress', element_id: 1, at: time + (time % 2) * 0.05 })).toEqual([]);
    expect(media(1).at).toBe(999);
    expect(tick(2000)).toEqual(['media.ended 1']);
  });
});
