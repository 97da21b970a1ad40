import type { Page } from 'playwright';
import sharp from 'sharp';

/** A frame that a page showed. */
export interface ShownFrame {
  /** Mean brightness, 0 to 255. */
  light: number;
  /** Standard deviation of the brightness: 0 for an empty frame. */
  detail: number;
}

/**
 * Records what a page of Chromium shows from now on, frame by frame.
 * @returns stops recording, and measures the frames
 */
export async function recordFrames(page: Page): Promise<() => Promise<ShownFrame[]>> {
  const session = await page.context().newCDPSession(page);
  const images: string[] = [];
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    images.push(data);
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 70, everyNthFrame: 1 });
  return async () => {
    await session.send('Page.stopScreencast');
    await session.detach();
    const measured = images.map(async (data) => {
      const { channels } = await sharp(Buffer.from(data, 'base64')).greyscale().stats();
      return { light: channels[0]!.mean, detail: channels[0]!.stdev };
    });
    return Promise.all(measured);
  };
}
