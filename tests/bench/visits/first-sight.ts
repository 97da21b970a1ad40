import type { CDPSession, Page } from 'playwright';
import sharp from 'sharp';

/** A frame displayed by the browser. */
interface Frame {
  /** The image as base64. */
  data: string;
  /** Display time in milliseconds since 1970. */
  at: number;
}

/** A rectangle of the screen. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The upper quarter of the screen, where the entrance shows no text. */
const upperQuarter = ({ width, height }: { width: number; height: number }): Box => ({
  left: 0,
  top: 0,
  width,
  height: height >> 2,
});
/** Minimum standard deviation of a picture's levels, even if it is blurred; a plain color has none. */
const SPREAD = 3;
/** Levels of a title's light text and its dark background. */
const TITLE = { letters: 180, ground: 140 } as const;

/** Standard deviation, mean and maximum of the levels in a part of a frame. */
async function levelsOf(frame: Buffer, box: Box) {
  const { channels } = await sharp(frame).extract(box).removeAlpha().stats();
  return {
    spread: Math.max(...channels.map(({ stdev }) => stdev)),
    mean: Math.max(...channels.map(({ mean }) => mean)),
    highest: Math.min(...channels.map(({ max }) => max)),
  };
}

async function shows(data: string, screen: { width: number; height: number }, title: Box): Promise<boolean> {
  const frame = Buffer.from(data, 'base64');
  const poster = await levelsOf(frame, upperQuarter(screen));
  const words = await levelsOf(frame, title);
  return poster.spread > SPREAD && words.highest > TITLE.letters && words.mean < TITLE.ground;
}

async function boxOfTitle(page: Page): Promise<Box> {
  const { x, y, width, height } = (await page.locator('#entrance-title').boundingBox())!;
  return { left: Math.floor(x), top: Math.floor(y), width: Math.ceil(width), height: Math.ceil(height) };
}

/**
 * Opens a page and inspects the displayed frames.
 * @returns milliseconds from the navigation to the first frame with a picture of the room and its title
 */
export async function firstSight(page: Page, session: CDPSession, url: string): Promise<number> {
  const frames: Frame[] = [];
  let arrived = () => {};
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ data, at: metadata.timestamp! * 1000 });
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
    arrived();
  });
  await session.send('Page.startScreencast', { format: 'png' });
  await page.goto(url, { waitUntil: 'commit' });
  const title = await boxOfTitle(page);
  const began = await page.evaluate(() => performance.timeOrigin);
  for (;;) {
    const frame = frames.shift();
    if (!frame) await new Promise<void>((resolve) => (arrived = resolve));
    else if (frame.at > began && (await shows(frame.data, page.viewportSize()!, title))) return frame.at - began;
  }
}
