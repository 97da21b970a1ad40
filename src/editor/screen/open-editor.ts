import { reaction } from 'mobx';
import type { Element } from '../../../engine/document/element.ts';
import type { ByPath } from '../../../engine/document/field-paths.ts';
import type { Client } from '../../contract/client.ts';
import type { Offer } from '../../ui/notifications.ts';
import type { DraftStorage } from '../edit-window/draft-storage.ts';
import { DraftsStore } from '../edit-window/drafts-store.ts';
import { ROOM } from '../fields/draft-store.ts';
import type { EditStorage } from '../saving/edit-storage.ts';
import { storeHistory } from '../saving/history-storage.ts';
import { readRoom } from '../saving/log-follower.ts';
import { SavingStore } from '../saving/saving-store.ts';
import { DocumentStore } from '../session/document-store.ts';
import type { Editor } from '../session/editor-context.ts';
import { SelectionStore } from '../session/selection-store.ts';
import { EditorsLine, FollowStore } from '../together/editors-line.ts';

/** Maximum number of ids per presence. */
const MAX_TOLD = 100;

/** Shares the selection, and the element whose text the user is editing. @returns a function that stops sharing */
function shareSelection(line: EditorsLine, selection: SelectionStore, drafts: Pick<DraftsStore, 'open'>): () => void {
  return reaction(
    () => ({
      selection: selection.ids.slice(0, MAX_TOLD),
      writing: drafts.open?.isChanged && drafts.open.subject.id !== ROOM ? drafts.open.subject.id : null,
    }),
    (presence) => line.send(presence),
    { fireImmediately: true },
  );
}

export interface OpenOptions {
  client: Client;
  roomId: number;
  /** The authenticated user. */
  userId?: number;
  storage: EditStorage;
  draftStorage: DraftStorage;
  /** Milliseconds of a monotonic clock that continues across pages. */
  now(): number;
  notify(text: string, offer?: Offer): void;
  /** Session token for the editors' socket; null if there is none. */
  token(): string | null;
  pauses?: readonly number[];
}

/**
 * Opens a room for editing: the server's state with unsaved edits of earlier pages.
 * @throws ApiError if the room cannot be read
 */
export async function openEditor(options: OpenOptions): Promise<Editor> {
  try {
    return await open(options);
  } catch (error) {
    // Releases the stored edits for the next attempt.
    options.storage.close();
    throw error;
  }
}

async function open({
  client,
  roomId,
  userId,
  storage,
  draftStorage,
  now,
  notify,
  token,
  pauses,
}: OpenOptions): Promise<Editor> {
  const [left, answer, settings] = await Promise.all([
    storage.load(),
    readRoom(client, roomId),
    // Without settings, 3D texts use the built-in font.
    client.visit.settings().catch(() => ({ font_url: '' })),
  ]);
  // Edits of earlier pages are restored before the user can type.
  let isRemovalNotified = (_: number) => false;
  let typed = (): Iterable<ByPath> => [];
  const saving = new SavingStore({
    client,
    roomId,
    ...(userId !== undefined && { userId }),
    answer,
    storage,
    page: left.page,
    now,
    notify,
    seesOthers: () => line.others.length > 0,
    isRemovalNotified: (id) => isRemovalNotified(id),
    onForbidden: (status) => {
      saving.forbid(status);
      line.askForRights();
    },
    typed: () => typed(),
    ...(pauses && { pauses }),
  });
  const { ids } = saving;
  // Without ids, existing elements can be edited; adding notifies the user.
  await ids.fill().catch(() => undefined);
  const history = await saving.restore(left);
  const document = new DocumentStore(saving.shown, { now, notify, onEdits: (edits) => saving.push(edits) });
  document.restore(history);
  saving.start(document);
  const endHistory = storeHistory(document, storage);
  const selection = new SelectionStore(document);
  const drafts = new DraftsStore({
    document,
    selection,
    storage: draftStorage,
    notify,
    settled: () => saving.queue.settled(),
  });
  isRemovalNotified = (id) => drafts.isRemovalNotified(id);
  typed = () => drafts.waitingFields;
  drafts.start();
  const line = new EditorsLine({
    roomId,
    client: () => saving.clients.current,
    onTaken: (client) => saving.clients.replace(client),
    token,
    seq: () => saving.seq,
    onNews: () => void saving.log.follow().catch(() => undefined),
    onFiles: () => void saving.readFiles().catch(() => undefined),
    onRights: (mayEdit, status) => (mayEdit ? saving.permit() : saving.forbid(status)),
  });
  const follow = new FollowStore(line);
  const endSharing = shareSelection(line, selection, drafts);
  const end = () => {
    endSharing();
    line.end();
    drafts.end();
    endHistory();
    saving.end();
  };
  const place = (element: Element) => ({ element, rest: () => undefined });
  return {
    document,
    ids,
    selection,
    saving,
    drafts,
    line,
    follow,
    client,
    roomId,
    isProposal: answer.branch_of !== undefined,
    font: settings.font_url,
    place,
    end,
  };
}
