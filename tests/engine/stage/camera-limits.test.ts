import { describe, expect, test } from 'vitest';
import { parseRoom } from '../../../engine/document/room.ts';
import { CAMERA_LIMITS, canWalk, maxZoomOf } from '../../../engine/stage/camera/limits.ts';

const file = { id: 1, name: 'p.jpg', type: 'image', url: '/media/aa/p.jpg', width: 8192, height: 4096 };
const PLACE = 7;

const roomWith = (camera: object = {}, panorama: object | null = file) =>
  parseRoom({
    id: 1,
    title: 'Room',
    config: { camera },
    elements: [{ id: PLACE, element: 'view_point', file_id: panorama && 1, file: panorama, config: {} }],
  });

describe('in a panorama', () => {
  test('visitors never walk at a place; in the room around it, they do', () => {
    const room = roomWith({ rotate: true, manual_panning: true });
    expect(canWalk(room, PLACE)).toBe(false);
    expect(canWalk(room)).toBe(true);
    expect(canWalk(roomWith({}, null), PLACE)).toBe(true);
  });

  test('zooming ends where a pixel of the image covers two of the screen, and is always possible twice', () => {
    // At 90°, half the screen is as wide as the distance to it: 8192 / 2π pixels per radian, 540 on the screen.
    expect(maxZoomOf(roomWith(), PLACE, 1080, 90)).toBeCloseTo((2 * 8192) / (2 * Math.PI) / 540);
    const half = { ...file, part: { left: 0, top: 0.25, width: 0.5, height: 0.5 } };
    expect(maxZoomOf(roomWith({}, half), PLACE, 1080, 90)).toBeCloseTo((2 * 16_384) / (2 * Math.PI) / 540);
    expect(maxZoomOf(roomWith({}, { ...file, width: 1024 }), PLACE, 2160, 90)).toBe(2);
    expect(maxZoomOf(roomWith(), 0, 1080, 90)).toBe(CAMERA_LIMITS.zoom);
    expect(maxZoomOf(roomWith({}, { ...file, width: null }), PLACE, 1080, 90)).toBe(CAMERA_LIMITS.zoom);
  });
});
