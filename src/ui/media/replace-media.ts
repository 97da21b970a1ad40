import type { Client } from '../../contract/client.ts';
import type { Media } from '../../contract/entities.ts';
import { confirm } from '../confirmation/confirmation-store.ts';
import { showDone, showNotification, showProblem } from '../notifications.ts';

/** Maximum relative difference of equal proportions. */
const TOLERANCE = 0.01;

/** Proportions of an image on this computer, width by height; null if the browser can't read it. */
async function proportionsOf(file: File): Promise<number | null> {
  try {
    const picture = await createImageBitmap(file);
    const proportions = picture.width / picture.height;
    picture.close();
    return proportions;
  } catch {
    return null;
  }
}

/** Whether the user wants the new proportions, if they differ. */
async function acceptsProportions({ name, width, height, type }: Media, chosen: File): Promise<boolean> {
  const after = type === 'image' && width && height ? await proportionsOf(chosen) : null;
  if (after === null || Math.abs(after / (width! / height!) - 1) <= TOLERANCE) return true;
  return confirm({
    title: `Replace “${name}” with an image of different proportions?`,
    text: 'Elements keep their size: where both width and height are set, the new image is fitted into them. You can undo it.',
    action: 'Replace',
  });
}

/** Notifies that the content of a file changed, and offers to restore the one before. */
async function notifyChanged({ media }: Client, id: number, text: string, onChanged: (file: Media) => void) {
  const params = { id };
  const [replaced] = await media.versions({ params });
  const undo = async () => onChanged(await media.restore({ params, body: { version_id: replaced!.id } }));
  showNotification(text, { label: 'Undo', act: () => void undo().catch(showProblem) });
}

/**
 * Restores an earlier version of a file, and offers to undo it.
 * @param onChanged called with the changed file, also after undo
 * @throws ApiError
 */
export async function restoreVersion(
  client: Client,
  { id, name }: Media,
  version_id: number,
  onChanged: (file: Media) => void,
): Promise<void> {
  onChanged(await client.media.restore({ params: { id }, body: { version_id } }));
  await notifyChanged(client, id, `Earlier version of “${name}” restored.`, onChanged);
}

/**
 * Replaces the content of a file, and offers to undo it.
 * @param onChanged called with the changed file, also after undo
 * @throws ApiError
 */
export async function replaceMedia(
  client: Client,
  file: Media,
  chosen: File,
  onChanged: (file: Media) => void,
): Promise<void> {
  if (!(await acceptsProportions(file, chosen))) return;
  const { id, name, url } = file;
  const after = await client.media.replace({ params: { id }, body: {}, files: { file: chosen } });
  onChanged(after);
  if (after.url === url) return showDone(`“${name}” already had this content.`);
  await notifyChanged(client, id, `“${name}” replaced.`, onChanged);
}
