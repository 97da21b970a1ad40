import type { Client } from '../../contract/client.ts';
import { DraftsStore, type Offer } from '../edit-window/drafts-store.ts';
import type { KeptDrafts } from '../edit-window/kept-drafts.ts';
import { keepHistory } from '../saving/kept-history.ts';
import type { KeptQueue } from '../saving/kept-queue.ts';
import { SavingStore } from '../saving/saving-store.ts';
import { DocumentStore } from '../session/document-store.ts';
import type { Editor } from '../session/editor-context.ts';
import { SelectionStore } from '../session/selection-store.ts';

/** What an editor is opened with. */
export interface OpenOptions {
  client: Client;
  roomId: number;
  kept: KeptQueue;
  keptDrafts: KeptDrafts;
  /** Milliseconds of a clock that goes on from page to page, and never goes back on one. */
  now(): number;
  tell(text: string, offer?: Offer): void;
  pauses?: readonly number[];
}

/**
 * Opens a room for editing: as the server has it, with what earlier pages could not save any more.
 * @throws ApiError when the room cannot be read
 */
export async function openEditor(options: OpenOptions): Promise<Editor> {
  try {
    return await open(options);
  } catch (error) {
    // Whoever tries again finds what was left.
    options.kept.close();
    throw error;
  }
}

async function open({ client, roomId, kept, keptDrafts, now, tell, pauses }: OpenOptions): Promise<Editor> {
  const [left, answer, settings] = await Promise.all([
    kept.load(),
    client.rooms.read({ params: { id: roomId } }),
    // Without it, 3D texts show in the built-in font: no reason not to open.
    client.visit.settings().catch(() => ({ font_url: '' })),
  ]);
  const saving = new SavingStore({
    client,
    roomId,
    answer,
    kept,
    page: left.page,
    now,
    tell,
    ...(pauses && { pauses }),
  });
  const { ids } = saving;
  // Without ids, what is there can be edited; adding says what it waits for.
  await ids.fill().catch(() => undefined);
  const history = await saving.restore(left);
  const document = new DocumentStore(saving.shown, { now, tell, onEdit: (edit) => saving.push(edit) });
  document.restore(history);
  saving.start(document);
  const endHistory = keepHistory(document, kept);
  const selection = new SelectionStore(document);
  const drafts = new DraftsStore({ document, selection, kept: keptDrafts, tell });
  drafts.start();
  const end = () => {
    drafts.end();
    endHistory();
    saving.end();
  };
  const place = () => ({ x: 0, y: 0, z: 0 });
  return { document, ids, selection, saving, drafts, client, roomId, font: settings.font_url, place, end };
}
