import { autorun } from 'mobx';
import {
  descriptors,
  ELEMENT_TYPES,
  type Element,
  type ElementType,
  flatElementSchema,
} from '../../../engine/document/element.ts';
import { textAt } from '../../../engine/document/translations.ts';
import type { Spot } from '../../../engine/tools/camera/picker.ts';
import type { Client } from '../../contract/client.ts';
import { captionOf, captionTranslations, type Media, type MediaType } from '../../contract/entities.ts';
import { type Answer, choose } from '../../ui/confirmation/confirmation-store.ts';
import { UploadsStore } from '../../ui/media/uploads-store.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import type { Branch } from '../session/copies.ts';
import type { Editor } from '../session/editor-context.ts';
import { addAllAt, addAt } from './add-at.ts';

/** The element type for a media type; undefined for files that only belong to other elements. */
const typeOf = (kind: MediaType): ElementType | undefined =>
  ELEMENT_TYPES.find((type) => descriptors[type].madeOf === kind);

interface Arrived {
  media: Media;
  spot: Spot;
}

/** An element for a file at a spot; undefined for files that can't stand alone. */
export function elementOf({ media, spot }: Arrived, elementId: number): Element | undefined {
  const type = typeOf(media.type);
  if (!type) return undefined;
  const { id, name, url, width, height, duration } = media;
  const { x, y, z } = spot.position;
  const { flat, ...sides } = descriptors[type].dropped ?? {};
  const isText = descriptors[type].traits.reads === 'words';
  const caption = isText ? {} : captionOf(media);
  const title = (type === 'image' && caption.title) || name.replace(/\.[^.]+$/, '');
  const element = flatElementSchema.parse({
    id: elementId,
    element: type,
    name: title,
    file_id: id,
    file: { id, name, type: media.type, url, width, height, duration },
    ...sides,
    position_x: x,
    position_y: y,
    position_z: z,
    rotation_y: flat ? spot.turn : 0,
    // Fonts have a name of their own.
    config: { file_url: url, ...caption, ...(isText && { text: title }) },
  });
  const translations = captionTranslations(media.translations, (path) => !isText && Boolean(textAt(element, path)));
  if (Object.keys(translations).length === 0) return element;
  return flatElementSchema.parse({ ...element, config: { ...element.config, translations } });
}

/** Notification for users without the right to upload. */
export const NO_UPLOADS = "These files can't be uploaded. Ask an administrator for the right to add media.";

/** Files dropped together, until all of them are uploaded or have failed. */
interface Batch {
  files: readonly File[];
  spot: Spot;
  images: Map<File, Media>;
}

/** Uploads files dropped on the canvas, and adds elements for them where they were dropped. */
class ImportStore {
  readonly uploads: UploadsStore<Arrived | null>;
  readonly #editor: Editor;
  readonly #spots = new WeakMap<File, Spot>();
  #batches: Batch[] = [];

  constructor(editor: Editor) {
    this.#editor = editor;
    this.uploads = new UploadsStore<Arrived | null>(
      async (file, progress) => this.#arrive(file, await send(editor.client, file, progress)),
      (arrived) => arrived && void placeFile(editor, arrived),
    );
    // Canceling a queued file only changes the list.
    autorun(() => this.#placeWhole());
  }

  /** @param spot drop position; images are laid out side by side, in this order */
  add(files: readonly File[], spot: Spot): void {
    for (const file of files) this.#spots.set(file, spot);
    this.uploads.add(files);
    if (files.length > 1) this.#batches.push({ files, spot, images: new Map() });
  }

  cancelAll(): void {
    this.#batches = [];
    this.uploads.cancelAll();
  }

  /** Returns a file that is placed alone; images of a batch wait for the others. */
  #arrive(file: File, media: Media): Arrived | null {
    const batch = this.#batches.find(({ files }) => files.includes(file));
    if (!batch || typeOf(media.type) !== 'image') return { media, spot: this.#spots.get(file)! };
    batch.images.set(file, media);
    return null;
  }

  /** Places the images of batches without pending uploads. */
  #placeWhole(): void {
    const pending = new Set(this.uploads.uploads.filter(({ state }) => state !== 'failed').map(({ file }) => file));
    const whole = this.#batches.filter(({ files }) => !files.some((file) => pending.has(file)));
    this.#batches = this.#batches.filter((batch) => !whole.includes(batch));
    for (const { files, spot, images } of whole) {
      const arrived = files.flatMap((file) => images.get(file) ?? []);
      void placeImages(this.#editor, arrived, spot).catch(showProblem);
    }
  }
}

const stores = new WeakMap<Editor, ImportStore>();

/** Files dropped and pasted into an editor; one instance per editor. */
export function importsOf(editor: Editor): ImportStore {
  const store = stores.get(editor) ?? new ImportStore(editor);
  stores.set(editor, store);
  return store;
}

type Progress = Pick<Parameters<Client['media']['upload']>[0], 'onProgress' | 'signal'>;

// The server detects the type from the content: a zip may contain a model or a page.
const send = (client: Client, file: File, progress: Progress): Promise<Media> =>
  client.media.upload({ body: {}, files: { file }, ...progress });

/** Names of a model's parts; empty for other files, and for models in one piece. */
function partsOf({ type, details }: Media): string[] {
  const { parts } = details;
  const names = type === 'object' && Array.isArray(parts) ? parts.filter((name) => typeof name === 'string') : [];
  return names.length > 1 ? names : [];
}

/** Maximum number of names in the question. */
const MAX_LISTED_PARTS = 6;

const asksForParts = (name: string, parts: readonly string[]): Promise<Answer> =>
  choose({
    title: `Add “${name}” as one model?`,
    text: `It is made of ${parts.length} parts: ${parts.slice(0, MAX_LISTED_PARTS).join(', ')}${
      parts.length > MAX_LISTED_PARTS ? ' and others' : ''
    }. As parts, each becomes an element of a group and can be moved and linked by itself.`,
    action: 'Split into parts',
    alternative: 'One model',
  });

/** A group with one model per part; together they look like the whole model. */
function groupOf(model: Element, parts: readonly string[], [groupId, ...partIds]: readonly number[]): Branch {
  const { name, position_x, position_y, position_z } = model;
  const place = { position_x, position_y, position_z };
  const group = flatElementSchema.parse({ id: groupId, element: 'group', name, ...place });
  const inside = parts.map((node, index): Element => {
    const origin = { position_x: 0, position_y: 0, position_z: 0 };
    const part = { ...model, ...origin, id: partIds[index]!, name: node, parent_element_id: group.id };
    return { ...part, config: { ...model.config, node } } as Element;
  });
  return { top: group, inside };
}

/** Adds a file to the room as one element or, if the user chooses so, as one element per part. */
export async function placeFile(editor: Editor, arrived: Arrived): Promise<void> {
  const parts = partsOf(arrived.media);
  const newIds = await editor.ids.taken(1 + parts.length);
  if (!newIds) return;
  const whole = elementOf(arrived, newIds[0]!);
  const answer = whole && parts.length > 0 ? await asksForParts(whole.name, parts) : 'alternative';
  if (answer === null) return;
  if (!whole) {
    showNotification(`“${arrived.media.name}” is in the media library now; it belongs to another element.`);
    return;
  }
  const branch: Branch = answer === 'action' ? groupOf(whole, parts, newIds) : { top: whole, inside: [] };
  addAt(editor, branch, arrived.spot, `Add “${whole.name}”`);
}

/** Adds images that were dropped together, as one step: in order, side by side. */
async function placeImages(editor: Editor, images: readonly Media[], spot: Spot): Promise<void> {
  if (images.length === 0) return;
  const newIds = await editor.ids.taken(images.length);
  if (!newIds) return;
  const elements = images.flatMap((media, nth) => elementOf({ media, spot }, newIds[nth]!) ?? []);
  addAllAt(editor, elements, spot);
}
