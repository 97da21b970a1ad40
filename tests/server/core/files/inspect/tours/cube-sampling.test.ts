import { expect, test } from 'vitest';
import { drawRow } from '../../../../../../src/server/core/files/inspect/tours/cube-sampling.ts';
import { angleBetween, colorOf, FACES, faceRay, rayOf, sphereRay } from '../../../../../harness/made-tours.ts';

test('a cube map as an equirectangular image shows each direction where it is', () => {
  const [size, width, height] = [48, 152, 76];
  const face = size * size * 3;
  const pixels = new Uint8Array(FACES.length * face);
  for (const [index, name] of FACES.entries())
    for (let y = 0; y < size; y++)
      for (let x = 0; x < size; x++) {
        const ray = faceRay(name, ((x + 0.5) / size) * 2 - 1, ((y + 0.5) / size) * 2 - 1);
        pixels.set(colorOf(ray), index * face + (y * size + x) * 3);
      }
  const drawn = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) drawRow({ size, pixels }, row, width, drawn);
  let worst = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const ray = sphereRay(((x + 0.5) / width - 0.5) * 2 * Math.PI, (0.5 - (y + 0.5) / height) * Math.PI);
      const at = (y * width + x) * 3;
      worst = Math.max(worst, angleBetween(ray, rayOf([...drawn.subarray(at, at + 3)])));
    }
  // Up to 0.4° of it are colors of 8 bits; a pixel is 2.4° wide.
  expect(worst).toBeLessThan(0.75);
});
