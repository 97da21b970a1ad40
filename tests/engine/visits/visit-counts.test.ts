import { describe, expect, it } from 'vitest';
import { parseRoom } from '../../../engine/document/room.ts';
import { createScene, type Scene } from '../../../engine/scene/scene.ts';
import { VisitCounts } from '../../../engine/visits/visit-counts.ts';
import { poseOf, type ScriptCamera } from '../../harness/scene-player.ts';

const image = (id: number, more: object = {}) => ({
  id,
  element: 'image',
  width: 100,
  height: 100,
  ...more,
});
const room = (...elements: object[]) => parseRoom({ id: 1, title: 'Room', elements });

/** Looks once a second for so long, from one place. */
function watch(scene: Scene, counts: VisitCounts, seconds: number, camera: ScriptCamera = {}): void {
  for (let second = 0; second < seconds; second++) {
    scene.tick({ time: second, camera: poseOf(camera) });
    counts.look(scene, 1);
  }
}

describe('what a visitor is counted to have seen', () => {
  it('is what is on the screen and near enough, for as long as it is', () => {
    const scene = createScene(
      room(
        image(1, { position_z: -300 }),
        image(2, { position_z: 300 }),
        image(3, { position_z: -3000 }),
        image(4, { position_z: -300, hidden: true }),
        { id: 5, element: 'group', children: [image(6, { position_z: -400, position_x: 50 })] },
        { id: 7, element: 'light', position_z: -100 },
      ),
    );
    const counts = new VisitCounts();
    watch(scene, counts, 10);
    expect(counts.take(100)).toEqual({
      seen: [
        [1, 10],
        [6, 10],
      ],
      stood: [],
      opened: [],
    });
    watch(scene, counts, 4, { turn: 180 });
    // The turn is taken to be halfway between two looks.
    expect(counts.take(100).seen).toEqual([
      [2, 4],
      [1, 1],
      [6, 1],
    ]);
  });

  it('counts standing at a view point, and not looking at it', () => {
    const scene = createScene(room({ id: 1, element: 'view_point', position_x: 500 }));
    const counts = new VisitCounts();
    watch(scene, counts, 3);
    watch(scene, counts, 5, { position: [450, 0, 30] });
    expect(counts.take(100)).toEqual({ seen: [], stood: [[1, 5]], opened: [] });
  });

  it('keeps what is left of a second, and what does not fit, for the next stretch', () => {
    const scene = createScene(room(image(1, { position_z: -300 }), image(2, { position_z: -310 })));
    const counts = new VisitCounts();
    scene.tick({ time: 0, camera: poseOf() });
    counts.look(scene, 1.5);
    expect(counts.take(1).seen).toEqual([[1, 2]]);
    counts.look(scene, 1.5);
    expect(counts.take(1).seen).toEqual([[2, 3]]);
    expect(counts.take(9).seen).toEqual([[1, 1]]);
  });

  it('takes a page that slept for no more than two seconds', () => {
    const scene = createScene(room(image(1, { position_z: -300 })));
    const counts = new VisitCounts();
    scene.tick({ time: 0, camera: poseOf() });
    counts.look(scene, 3600);
    expect(counts.take(9).seen).toEqual([[1, 2]]);
  });
});

describe('where a visitor is', () => {
  it.each([
    [0, 0],
    [90, 90],
    [180, 180],
    [270, 270],
  ])('turned by %i degrees to the left, it is told so', (turn, heading) => {
    const scene = createScene(room());
    const counts = new VisitCounts();
    expect(counts.place(scene)).toBeNull();
    scene.tick({ time: 0, camera: poseOf({ turn, position: [10.7, -3.2, 5] }) });
    expect(counts.place(scene)).toEqual([10, -4, 5, heading]);
  });
});

describe('what a visitor is counted to have opened', () => {
  it.each([
    [
      'a link',
      image(1, { config: { navigation: { type: 'url', type_config: { url: 'https://a.example' } } } }),
      'link',
    ],
    ['a door', image(1, { config: { navigation: { type: 'slug', type_config: { slug_one: 'hall' } } } }), 'door'],
    ['a pop-up', image(1, { config: { navigation: { type: 'modal_static' } } }), 'popup'],
    ['a video', { id: 1, element: 'native_video' }, 'media'],
    ['a slider', { id: 1, element: 'group' }, 'slider'],
    ['a view point', { id: 1, element: 'view_point' }, 'view_point'],
  ])('%s, as often as it is pressed', (_name, element, kind) => {
    const scene = createScene(room(element));
    const counts = new VisitCounts();
    const pressed = scene.elementOf(scene.entityOf(1)!)!;
    counts.press(pressed);
    counts.press(pressed);
    expect(counts.take(9).opened).toEqual([[kind, 1, 2]]);
    expect(counts.take(9).opened).toEqual([]);
  });

  it('nothing, where a press opens nothing; a pop-up that opens by itself has no element', () => {
    const scene = createScene(room(image(1)));
    const counts = new VisitCounts();
    counts.press(scene.elementOf(scene.entityOf(1)!)!);
    counts.hear({ type: 'camera_reset' });
    counts.hear({ type: 'popup.opened' });
    expect(counts.take(9).opened).toEqual([['popup', 0, 1]]);
  });
});
