import type { Room } from '../../../engine/document/room.ts';
import { drawPoster } from '../../../engine/tools/camera/poster.ts';

/** Input from the server. */
interface Drawing {
  room: Room;
  /** URL of the organization's font. */
  font: string;
}

/** Receives the image as a data URI, or an error text; the server exposes it to the browser. */
const { deliverPoster } = window as Window & { deliverPoster?: (image: string) => void };

function asDataUri(image: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(image);
  return promise;
}

async function draw(): Promise<string> {
  const { room, font }: Drawing = JSON.parse(document.getElementById('drawing')!.textContent);
  const image = await drawPoster(room, font);
  return image ? asDataUri(image) : 'The space could not be drawn in time.';
}

draw().then(
  (image) => deliverPoster?.(image),
  (error: unknown) => deliverPoster?.(String(error)),
);
