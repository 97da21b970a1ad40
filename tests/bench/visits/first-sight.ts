import type { CDPSession, Page } from 'playwright';
import sharp from 'sharp';

/** A frame as the browser has put it on the screen. */
interface Frame {
  /** The picture, as base64. */
  data: string;
  /** When it was shown, in milliseconds since 1970. */
  at: number;
}

/** Part of the screen. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where no words of an entrance stand: the upper quarter of the screen. */
const upperQuarter = ({ width, height }: { width: number; height: number }): Box => ({
  left: 0,
  top: 0,
  width,
  height: height >> 2,
});
/** Least spread of the levels of a picture, however blurred; a plain color has none. */
const SPREAD = 3;
/** Levels of the letters of a title, which are light, and of what they stand on, which is dark. */
const TITLE = { letters: 180, ground: 140 } as const;

/** Reads what part of a frame looks like: the spread, the mean and the highest of its levels. */
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
 * Opens a page and looks at the frames that the browser shows.
 * @returns milliseconds from the navigation to the first frame with a picture of the room and its title in it
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
