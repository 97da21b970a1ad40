import { expect, test } from 'vitest';
import { parseRoom } from '../../../engine/document/room.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import type { Scene, VisitorInput } from '../../../engine/scene/scene.ts';
import { PLAIN_POSE } from '../../harness/scene-player.ts';

const photo = (id: number) => ({ id, name: 'a', type: 'image', url: `/media/${id}/a.jpg` });
const VIDEO = { id: 9, name: 'film', type: 'video', url: '/media/9/film.mp4', duration: 20 };
const template = { id: 1, name: 'Lake', model_type: 'pano', file: photo(8), file_id: 8 };
const withVideo = { ...template, video_file: VIDEO, video_file_id: 9 };
const elements = [
  { id: 2, element: 'view_point', file: photo(7), file_id: 7 },
  { id: 3, element: 'view_point' },
];
const sceneOf = (shell: object, config: object = {}) =>
  createEditableScene(parseRoom({ id: 1, title: 'Lake', template: shell, config, elements }));

/** Runs a tick. @returns its events that concern elements of no document, without positions */
function tick(scene: Scene, time: number, ...input: VisitorInput[]) {
  scene.tick({ time, camera: PLAIN_POSE, input });
  return scene.events.flatMap((event) =>
    'element_id' in event && (event.element_id ?? 0) < 0 ? [`${event.type} ${event.element_id}`] : [],
  );
}

test('a room without a 360° video has nothing of it', () => {
  for (const shell of [template, { ...withVideo, model_type: 'grid' }]) {
    const scene = sceneOf(shell);
    expect(tick(scene, 0, { type: 'entered' })).toEqual([]);
    expect(scene.entityOf(-1)).toBeUndefined();
  }
  expect(JSON.stringify(parseRoom({ id: 1, title: 'Lake', template, elements }))).not.toContain('video');
});

test('the video of a template plays in a loop once the visitor has entered, and stops in another panorama', () => {
  const scene = sceneOf(withVideo);
  expect(tick(scene, 0)).toEqual(['element.added -1', 'element.near -1']);
  expect(scene.elementOf(scene.entityOf(-1)!)).toMatchObject({
    element: 'native_video',
    file: VIDEO,
    config: { projection: 'equirectangular', stereo: 'auto', loop: true, timed: false },
  });
  expect(tick(scene, 1, { type: 'entered' })).toContain('media.play -1');
  // A browser that refuses sound plays it muted.
  tick(scene, 1.5, { type: 'refused', element_id: -1 });
  expect(scene.events).toContainEqual({ type: 'media.muted_fallback', element_id: -1 });
  expect(scene.media(scene.entityOf(-1)!)).toMatchObject({ status: 'playing', muted: true });
  expect(tick(scene, 2, { type: 'go_to', element_id: 2 })).toEqual(
    expect.arrayContaining(['element.hidden -1', 'media.stop -1']),
  );
  // A view point without a panorama has the template's.
  expect(tick(scene, 3, { type: 'go_to', element_id: 3 })).toEqual(
    expect.arrayContaining(['element.shown -1', 'media.play -1']),
  );
});

test('its measured loudness is evened out', () => {
  const scene = sceneOf({ ...withVideo, video_file: { ...VIDEO, gain: -20 } });
  tick(scene, 1, { type: 'entered' });
  expect(scene.events).toContainEqual(expect.objectContaining({ type: 'media.play', element_id: -1, volume: 10 }));
});

test('it follows room time in a timed sequence', () => {
  const scene = sceneOf(withVideo, { duration: 60 });
  tick(scene, -5, { type: 'entered' });
  expect(scene.media(scene.entityOf(-1)!)?.status).toBe('stopped');
  tick(scene, 27);
  // It is 20 seconds long.
  expect(scene.media(scene.entityOf(-1)!)).toMatchObject({ status: 'playing', at: 7 });
  tick(scene, 61);
  expect(scene.media(scene.entityOf(-1)!)?.status).toBe('stopped');
});

test('another template of an open room has its own video, or none', () => {
  const scene = sceneOf(template);
  tick(scene, 0, { type: 'entered' });
  const url = 'https://example.com/live.m3u8';
  const change = (to: object) => {
    const parsed = parseRoom({ id: 1, title: 'Lake', template: to }).template;
    scene.patch({ type: 'room.update', fields: { template: parsed } });
  };
  change({ ...template, config: { video_url: url, video_stereo: 'top_bottom' } });
  expect(tick(scene, 1)).toEqual(expect.arrayContaining(['element.added -1', 'media.play -1']));
  const { config } = scene.elementOf(scene.entityOf(-1)!) as { config: object };
  expect(config).toMatchObject({ direct_url: url, stereo: 'top_bottom' });
  change(template);
  expect(tick(scene, 2)).toContain('element.removed -1');
});
