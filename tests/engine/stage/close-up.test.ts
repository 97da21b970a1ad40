import { Euler, Matrix4, PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { placeInFront } from '../../../engine/stage/camera/close-up.ts';

const view = { fov: 50, width: 1200, height: 800 };
const sides = { width: 300, height: 200 };

test.each([
  ['in the middle of the screen', { left: 0, top: 0, width: 1200, height: 800 }],
  ['beside a text', { left: 24, top: 76, width: 770, height: 648 }],
  ['above a text', { left: 24, top: 40, width: 1152, height: 360 }],
])('an image is seen straight on, filling the area, %s', (_, area) => {
  const turned = new Quaternion().setFromEuler(new Euler(0, 1.2, 0));
  const world = new Matrix4().compose(new Vector3(500, -80, 300), turned, new Vector3(2, 2, 2));
  const { position, target } = placeInFront(world, sides, view, area);
  const camera = new PerspectiveCamera(view.fov, view.width / view.height, 1, 10_000);
  camera.position.set(position.x, position.y, position.z);
  camera.lookAt(target.x, target.y, target.z);
  camera.updateMatrixWorld();
  const onScreen = (x: number, y: number) => {
    const point = new Vector3(x, y, 0).applyMatrix4(world).project(camera);
    return { x: ((point.x + 1) / 2) * view.width, y: ((1 - point.y) / 2) * view.height };
  };
  const [first, last] = [onScreen(-150, 100), onScreen(150, -100)];
  expect((first.x + last.x) / 2).toBeCloseTo(area.left + area.width / 2);
  expect((first.y + last.y) / 2).toBeCloseTo(area.top + area.height / 2);
  const [width, height] = [last.x - first.x, last.y - first.y];
  expect(width / height).toBeCloseTo(1.5);
  expect(Math.max(width / area.width, height / area.height)).toBeCloseTo(1);
});
