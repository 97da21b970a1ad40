import type { Page } from 'playwright';

/** Milliseconds without a frame after which a room is at rest, and for which it is then watched. */
const IDLE = { still: 5000, watched: 20_000 } as const;

/** What a room at rest costs, and what of it is on the screen meanwhile. */
export interface Idle {
  /** Percentage of the time that the main thread works, by the processor's clock. */
  share: number;
  /** Frames drawn meanwhile. */
  frames: number;
  /** The disc of a view point that is in view: its name, and where it is, in pixels of the screen. */
  disc: string;
}

/** The disc of a view point that is nearest to the middle of the screen. @throws when none is in view */
async function discInView(page: Page): Promise<string> {
  const found = await page.evaluate(() => {
    const { stage } = window.enfilade!;
    const { camera, scene } = stage!;
    const onScreen = scene.room.elements.flatMap((element) => {
      const target = element.element === 'view_point' ? stage!.viewOf(element.id)?.target : undefined;
      if (!target?.children.length) return [];
      const { x, y, z } = target.position.clone().setFromMatrixPosition(target.matrixWorld).project(camera);
      const distance = Math.max(Math.abs(x), Math.abs(y));
      if (distance > 1 || z > 1) return [];
      const place = `${Math.round(((x + 1) / 2) * innerWidth)}, ${Math.round(((1 - y) / 2) * innerHeight)}`;
      return [{ distance, text: `${element.name} at ${place}` }];
    });
    return onScreen.sort((a, b) => a.distance - b.distance)[0]?.text;
  });
  if (found === undefined) throw new Error('No disc of a view point is in view.');
  return found;
}

/**
 * Enters a room, waits until nothing is drawn any more, and watches it.
 * @param url of the room, with the place of the camera
 */
export async function idleShare(page: Page, url: string): Promise<Idle> {
  await page.goto(url);
  await page.locator('#entrance.is-ready').waitFor();
  await page.locator('#entrance').press('Enter');
  await page.locator('#room[data-state="ready"]').waitFor();
  const frames = () => page.evaluate(() => window.enfilade!.stage!.frames);
  for (let last = -1, now = await frames(); now !== last; now = await frames()) {
    last = now;
    await page.waitForTimeout(IDLE.still);
  }
  const session = await page.context().newCDPSession(page);
  // Time of the thread itself: what other programs of the machine take from it is not its work.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const look = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const task = metrics.find(({ name }) => name === 'TaskDuration')!.value;
    return { at: performance.now(), worked: task * 1000, frames: await frames() };
  };
  const before = await look();
  await page.waitForTimeout(IDLE.watched);
  const after = await look();
  return {
    share: (100 * (after.worked - before.worked)) / (after.at - before.at),
    frames: after.frames - before.frames,
    disc: await discInView(page),
  };
}
