import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import type { WebApp } from './web-app.ts';

/** A color for each image: no two neighbors are alike. */
export const colorOf = (index: number): [number, number, number] => [
  60 + ((index * 67) % 180),
  60 + ((index * 101) % 180),
  60 + ((index * 151) % 180),
];

/** Whether a pixel has the color of an image. */
export const isColor = (found: readonly number[], index: number): boolean =>
  colorOf(index).every((value, at) => Math.abs(value - found[at]!) < 12);

/** Uploads images of one color each. @param folder for the files @returns their ids */
export async function uploadColors(app: WebApp, folder: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index++) {
    const path = join(folder, `${index}.jpg`);
    const [r, g, b] = colorOf(index);
    await sharp({ create: { width: 1200, height: 900, channels: 3, background: { r, g, b } } })
      .jpeg({ quality: 90 })
      .toFile(path);
    ids.push((await app.upload(path)).id);
  }
  return ids;
}

/** Page pixel of an image's center. @param name of the element */
export const placeOf = (page: Page, name: string): Promise<{ x: number; y: number }> =>
  page.evaluate((wanted) => {
    const { scene, camera, canvas } = window.enfilade!.stage!;
    const { id } = scene.room.elements.find((element) => element.name === wanted)!;
    const matrix = new Float32Array(16);
    scene.worldMatrix(scene.entityOf(id)!, matrix);
    const at = camera.position.clone().set(matrix[12]!, matrix[13]!, matrix[14]!).project(camera);
    return { x: ((at.x + 1) / 2) * canvas.clientWidth, y: ((1 - at.y) / 2) * canvas.clientHeight };
  }, name);
