import { type Case, config, element, group, room } from './room-builders.ts';

/** Rooms with something in the wrong place. */
export const placeCases: Case[] = [
  {
    name: 'flat',
    code: 'zero-scale',
    path: 'elements[0].scale_z',
    id: 1,
    input: room({}, element('text', 1, { scale_z: 0 })),
  },
  ...(['x', 'y', 'z'] as const).map(
    (axis): Case => ({
      name: `beyond ${axis}`,
      code: 'outside-room',
      path: `elements[0].position_${axis}`,
      id: 1,
      input: room({}, element('view_point', 1, { [`position_${axis}`]: -3002 })),
    }),
  ),
  {
    name: 'by its groups: scaled, turned and moved',
    code: 'outside-room',
    path: 'elements[0].children[0].position_y',
    id: 2,
    // 200 along x, twice as far by scale, up along y by the turn around z, and 102 higher: 502.
    input: room(
      {},
      group({ scale_x: 2, rotation_z: Math.PI / 2, position_y: 102 }, element('text', 2, { position_x: 200 })),
    ),
  },
  {
    name: 'by a turn around x and y, in order XYZ',
    code: 'outside-room',
    path: 'elements[0].children[0].position_y',
    id: 2,
    // Around y, x = 300 becomes z = −300; around x, that becomes y = 300; moved by 250, 550.
    input: room(
      {},
      group(
        { rotation_x: Math.PI / 2, rotation_y: Math.PI / 2, position_y: 250 },
        element('text', 2, { position_x: 300 }),
      ),
    ),
  },
  {
    name: 'by a turn around y, which takes near to the right',
    code: 'outside-room',
    path: 'elements[0].children[0].position_x',
    id: 2,
    input: room({}, group({ rotation_y: Math.PI / 2, position_x: 600 }, element('text', 2, { position_z: 600 }))),
  },
  {
    name: 'by a turn around z, which takes up to the left',
    code: 'outside-room',
    path: 'elements[0].children[0].position_x',
    id: 2,
    input: room({}, group({ rotation_z: Math.PI / 2, position_x: -800 }, element('text', 2, { position_y: 300 }))),
  },
  {
    name: 'a start beyond the wall',
    code: 'camera-outside-room',
    path: 'config.camera.position.y',
    input: room(config({ camera: { position: { y: 502 } } })),
  },
  {
    name: 'a start beyond the wall on portrait screens',
    code: 'camera-outside-room',
    path: 'config.camera.portrait.position.y',
    input: room(config({ camera: { portrait: { position: { y: 502 } } } })),
  },
  {
    name: 'crossed',
    code: 'empty-pan-range',
    path: 'config.camera.min_pan.z',
    input: room(config({ camera: { manual_panning: true, min_pan: { z: 1 } } })),
  },
  {
    name: 'crossed',
    code: 'fog-range',
    path: 'config.fog.near',
    input: room(config({ fog: { enabled: true, near: 9, far: 9 } })),
  },
];
