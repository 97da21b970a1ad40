import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { TourLink } from '../../engine/document/tour-links.ts';
import type { Visitor } from '../harness/browser.ts';
import { recordFrames } from '../harness/screencast.ts';
import { nextFrames } from '../web/elements/play.ts';

/** Input of a visitor, by mouse or touch. */
export interface Walker {
  page: Pick<Page, 'evaluate'>;
  /** Drags across the window by some pixels. */
  drag(x: number): Promise<void>;
  /** Presses a point of the window. */
  press(x: number, y: number): Promise<void>;
}

/** Walks with a mouse. */
export function mouseOf({ page }: Visitor): Walker {
  const drag = async (x: number) => {
    const { width, height } = page.viewportSize()!;
    await page.mouse.move(width / 2 - x / 2, height * 0.3);
    await page.mouse.down();
    await page.mouse.move(width / 2 + x / 2, height * 0.3, { steps: 4 });
    await page.mouse.up();
  };
  return { page, drag, press: (x, y) => page.mouse.click(x, y) };
}

/** Walks with a finger. */
export async function fingerOf({ page, context }: Visitor): Promise<Walker> {
  const session = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const drag = async (x: number) => {
    const { width, height } = page.viewportSize()!;
    const at = (part: number) => [{ x: width / 2 + x * (part - 0.5), y: height * 0.3 }];
    await touch('touchStart', at(0));
    for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', at(part));
    await touch('touchEnd', []);
  };
  const press = async (x: number, y: number) => {
    // Chromium sends no click after a few synthetic taps.
    const isClicked = page.evaluate(() => {
      const waiting = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1000));
      const clicked = new Promise<boolean>((resolve) =>
        document.addEventListener('click', () => resolve(true), { once: true, capture: true }),
      );
      return Promise.race([clicked, waiting]);
    });
    await page.touchscreen.tap(x, y);
    if (!(await isClicked)) await page.touchscreen.tap(x, y);
  };
  return { page, drag, press };
}

/** A circuit over links that passes each once, from a place on; every link needs a way back. */
export function circuitOf(links: readonly TourLink[], start: number): TourLink[] {
  const left = Map.groupBy(links, ({ from }) => from);
  const stack: (TourLink | null)[] = [null];
  const circuit: TourLink[] = [];
  while (stack.length > 0) {
    const here = stack.at(-1)?.to ?? start;
    const next = left.get(here)?.shift();
    if (next) {
      stack.push(next);
      continue;
    }
    const link = stack.pop();
    if (link) circuit.unshift(link);
  }
  return circuit;
}

/** Where a visitor is, looks, and sees an element. */
export const lookOf = (page: Pick<Page, 'evaluate'>, id?: number) =>
  page.evaluate((wanted) => {
    const { stage } = window.enfilade!;
    const { scene, camera, canvas, rig } = stage!;
    const heading = ((-rig.azimuth * 180) / Math.PI + 720) % 360;
    const entity = wanted === undefined ? undefined : scene.entityOf(wanted);
    const place = scene.room.elements.find(({ id: each }) => each === scene.place);
    const isThere =
      place !== undefined &&
      Math.hypot(
        camera.position.x - place.position_x,
        camera.position.y - place.position_y,
        camera.position.z - place.position_z,
      ) < 1;
    if (entity === undefined) return { place: scene.place, isThere, heading, left: 0, x: 0, y: 0 };
    const matrix = new Float32Array(16);
    scene.worldMatrix(entity, matrix);
    const point = camera.position.clone().set(matrix[12]!, matrix[13]!, matrix[14]!);
    const { x: dx, z: dz } = point.clone().sub(camera.position);
    const bearing = (Math.atan2(dx, -dz) * 180) / Math.PI;
    point.project(camera);
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return {
      place: scene.place,
      /** Whether the camera has arrived, which it does once the panorama is loaded. */
      isThere,
      heading,
      /** Degrees to turn to the right to have it in the middle. */
      left: ((bearing - heading + 540) % 360) - 180,
      x: left + ((point.x + 1) / 2) * width,
      y: top + ((1 - point.y) / 2) * height,
    };
  }, id);

/** Turns by dragging until an element is in the middle third of the window. */
async function turnTo({ page, drag }: Walker, id: number): Promise<void> {
  const width = await page.evaluate(() => innerWidth);
  const near = width / 6;
  const degrees = await page.evaluate(() => {
    const { camera } = window.enfilade!.stage!;
    return (2 * Math.atan(Math.tan((camera.getEffectiveFOV() * Math.PI) / 360) * camera.aspect) * 180) / Math.PI;
  });
  let before = Number.NaN;
  const isAhead = async () => {
    // A busy machine draws rarely: between two frames nothing moves.
    await nextFrames(page);
    const { isThere, left, x } = await lookOf(page, id);
    // The view still moves after a drag and on arrival.
    const rests = Math.abs(left - before) < 0.1;
    before = left;
    if (!rests || !isThere) return false;
    if (Math.abs(left) < degrees / 2 && Math.abs(x - width / 2) < near) return true;
    // Views turn further than the drag where the angle of view is small.
    const by = Math.max(-0.8, Math.min(0.8, left / degrees / 2)) * width;
    await drag(-by);
    return false;
  };
  await expect.poll(isAhead, { timeout: 60_000, interval: 100 }).toBe(true);
}

const apart = (one: number, other: number) => Math.abs(((one - other + 540) % 360) - 180);

/** Milliseconds after which a press isn't taken for the second one of a double click. */
const APART = 500;

/** Passes a link of a tour. The visitor arrives in its place, looking where they looked. */
export async function passLink(walker: Walker, { from, to, element }: TourLink): Promise<void> {
  const { page } = walker;
  await expect.poll(async () => (await lookOf(page)).place).toBe(from);
  await turnTo(walker, element.id);
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), APART);
  const { heading, x, y } = await lookOf(page, element.id);
  await walker.press(x, y);
  await expect.poll(async () => (await lookOf(page)).place, { message: element.name }).toBe(to);
  expect(apart((await lookOf(page)).heading, heading), element.name).toBeLessThan(1);
}

/** Notes whenever the entrance is shown. @returns asks how often it was */
export async function watchEntrance(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const entrance = document.getElementById('entrance')!;
    const entrances = { count: 0 };
    new MutationObserver(() => (entrances.count += entrance.hidden ? 0 : 1)).observe(entrance, { attributes: true });
    Object.assign(window, { entrances });
  });
  return () => page.evaluate(() => (window as Window & { entrances?: { count: number } }).entrances!.count);
}

/** Does something while no frame is empty, or clearly darker than those before and after. @param name for messages */
export async function withoutEmptyFrames(page: Page, name: string, act: () => Promise<void>): Promise<void> {
  const stop = await recordFrames(page);
  await act();
  // The change goes on after the arrival.
  await nextFrames(page, 30);
  const frames = await stop();
  // A busy machine shows the first and the last one.
  expect(frames.length, name).toBeGreaterThan(1);
  const [first, last] = [frames[0]!, frames.at(-1)!];
  for (const { light, detail } of frames) {
    expect(light, name).toBeGreaterThan(Math.min(first.light, last.light) * 0.7);
    expect(detail, name).toBeGreaterThan(Math.min(first.detail, last.detail) * 0.4);
  }
}
