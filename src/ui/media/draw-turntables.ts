import type { Client } from '../../contract/client.ts';
import type { Media } from '../../contract/entities.ts';
import type { DrawTurntable } from './turntable-context.ts';

/** Bytes of a model above which it is not drawn: it would take long, and much memory. */
const LARGEST_DRAWN = 60 * 1024 * 1024;

/** Files that were drawn by this page, or could not be: what came of it, by their ids. */
const drawn = new Map<number, Promise<string | null>>();
let last: Promise<unknown> = Promise.resolve();

async function drawNow(client: Client, draw: DrawTurntable, { id, url }: Media): Promise<string | null> {
  const sheet = await draw(url);
  if (!sheet) return null;
  const file = new File([sheet], 'turntable.webp');
  return (await client.media.drawTurntable({ params: { id }, body: {}, files: { file } })).turntable_url;
}

/**
 * Draws a model that nobody has drawn yet, and keeps the sheet on the server: one at a time, each once in a page.
 * @returns address of the sheet; null where it cannot be drawn
 */
export function turntableOf(client: Client, draw: DrawTurntable, file: Media): Promise<string | null> {
  const known = drawn.get(file.id);
  if (known) return known;
  const turn = last.then(() => (file.bytes > LARGEST_DRAWN ? null : drawNow(client, draw, file))).catch(() => null);
  last = turn;
  drawn.set(file.id, turn);
  return turn;
}
