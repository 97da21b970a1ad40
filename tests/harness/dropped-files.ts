import sharp from 'sharp';
import type { Element } from '../../engine/document/element.ts';
import type { CanvasPage } from './canvas-page.ts';

/** Drops files at a point of the page, as if dragged from elsewhere. */
export async function drop(
  { page }: Pick<CanvasPage, 'page'>,
  files: { name: string; content: Buffer }[],
  x: number,
  y: number,
) {
  const data = await page.evaluateHandle(
    (parts) => {
      const transfer = new DataTransfer();
      for (const { name, bytes } of parts) {
        const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([content], name));
      }
      return transfer;
    },
    files.map(({ name, content }) => ({ name, bytes: content.toString('base64') })),
  );
  const target = page.getByRole('application', { name: 'Room' });
  for (const type of ['dragenter', 'dragover', 'drop'])
    await target.dispatchEvent(type, { dataTransfer: data, clientX: x, clientY: y });
}

/** Drops files and folders of this machine at a point of the page, as a file manager does. */
export async function dropFromDisk({ page }: Pick<CanvasPage, 'page'>, paths: string[], x: number, y: number) {
  const input = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await input.send('Input.dispatchDragEvent', { type, x, y, data });
  await input.detach();
}

/** The elements of the edited room. */
export const elements = (canvas: CanvasPage): Promise<Element[]> =>
  canvas.page.evaluate(() => JSON.parse(JSON.stringify(window.enfiladeCanvas!.stage!.scene.room.elements)));
/** Images of different aspect ratios; the first ones take the longest to upload. */
export const pictures = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      const [width, height] = nth % 3 === 0 ? [900, 600] : nth % 3 === 1 ? [400, 600] : [300, 300];
      const background = { r: 40 + 20 * nth, g: 90, b: 200 - 15 * nth };
      const picture = sharp({ create: { width: width!, height: height!, channels: 3, background } });
      const noise = nth < 3 ? Buffer.alloc(3_000_000) : Buffer.alloc(0);
      return { name: `Work ${nth + 1}.jpg`, content: Buffer.concat([await picture.jpeg().toBuffer(), noise]) };
    }),
  );
