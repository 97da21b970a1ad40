import type { Page } from 'playwright';

/** Cost of an idle room, and its visible content. */
export interface Idle {
  /** Percentage of time for which the main thread is busy, by CPU time. */
  share: number;
  /** Number of frames drawn. */
  frames: number;
  /** The visible disc of a view point: its name, and its position in pixels. */
  disc: string;
}

/** The disc of a view point nearest to the center of the screen. @throws if none is visible */
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
 * Enters a room, waits until nothing is drawn, and measures it.
 * @param url of the room, with the camera's position
 * @param still milliseconds without a frame until it is idle
 * @param watched milliseconds of the measurement
 */
export async function idleShare(
  page: Page,
  url: string,
  { still, watched }: { still: number; watched: number },
): Promise<Idle> {
  await page.goto(url);
  await page.locator('#entrance.is-ready').waitFor();
  await page.locator('#entrance').press('Enter');
  await page.locator('#room[data-state="ready"]').waitFor();
  const frames = () => page.evaluate(() => window.enfilade!.stage!.frames);
  for (let last = -1, now = await frames(); now !== last; now = await frames()) {
    last = now;
    await page.waitForTimeout(still);
  }
  const session = await page.context().newCDPSession(page);
  // CPU time of the thread, independent of other load on the machine.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const look = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const task = metrics.find(({ name }) => name === 'TaskDuration')!.value;
    return { at: performance.now(), worked: task * 1000, frames: await frames() };
  };
  const before = await look();
  await page.waitForTimeout(watched);
  const after = await look();
  return {
    share: (100 * (after.worked - before.worked)) / (after.at - before.at),
    frames: after.frames - before.frames,
    disc: await discInView(page),
  };
}
