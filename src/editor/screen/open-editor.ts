import { reaction } from 'mobx';
import type { Element } from '../../../engine/document/element.ts';
import type { ByPath } from '../../../engine/document/field-paths.ts';
import type { Client } from '../../contract/client.ts';
import type { Offer } from '../../ui/notifications.ts';
import { DraftsStore } from '../edit-window/drafts-store.ts';
import type { KeptDrafts } from '../edit-window/kept-drafts.ts';
import { ROOM } from '../fields/draft-store.ts';
import { keepHistory } from '../saving/kept-history.ts';
import type { KeptQueue } from '../saving/kept-queue.ts';
import { readRoom } from '../saving/log-follower.ts';
import { SavingStore } from '../saving/saving-store.ts';
import { DocumentStore } from '../session/document-store.ts';
import type { Editor } from '../session/editor-context.ts';
import { SelectionStore } from '../session/selection-store.ts';
import { EditorsLine, FollowStore } from '../together/editors-line.ts';

/** Ids that a presence holds at most. */
const MAX_TOLD = 100;

/** Tells others what is selected, and in which element something is being written. @returns ends it */
function tellOthers(line: EditorsLine, selection: SelectionStore, drafts: Pick<DraftsStore, 'open'>): () => void {
  return reaction(
    () => ({
      selection: selection.ids.slice(0, MAX_TOLD),
      writing: drafts.open?.isChanged && drafts.open.subject.id !== ROOM ? drafts.open.subject.id : null,
    }),
    (presence) => line.tell(presence),
    { fireImmediately: true },
  );
}

/** What an editor is opened with. */
export interface OpenOptions {
  client: Client;
  roomId: number;
  /** Who edits. */
  userId?: number;
  kept: KeptQueue;
  keptDrafts: KeptDrafts;
  /** Milliseconds of a clock that goes on from page to page, and never goes back on one. */
  now(): number;
  tell(text: string, offer?: Offer): void;
  /** Session token, for the line to the other editors; null where there is none. */
  token(): string | null;
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

async function open({
  client,
  roomId,
  userId,
  kept,
  keptDrafts,
  now,
  tell,
  token,
  pauses,
}: OpenOptions): Promise<Editor> {
  const [left, answer, settings] = await Promise.all([
    kept.load(),
    readRoom(client, roomId),
    // Without it, 3D texts show in the built-in font: no reason not to open.
    client.visit.settings().catch(() => ({ font_url: '' })),
  ]);
  // What earlier pages left is settled before anything can be typed.
  let isToldGone = (_: number) => false;
  let typed = (): Iterable<ByPath> => [];
  const saving = new SavingStore({
    client,
    roomId,
    ...(userId !== undefined && { userId }),
    answer,
    kept,
    page: left.page,
    now,
    tell,
    seesOthers: () => line.others.length > 0,
    isToldGone: (id) => isToldGone(id),
    onForbidden: (status) => {
      saving.forbid(status);
      line.askForRights();
    },
    typed: () => typed(),
    ...(pauses && { pauses }),
  });
  const { ids } = saving;
  // Without ids, what is there can be edited; adding says what it waits for.
  await ids.fill().catch(() => undefined);
  const history = await saving.restore(left);
  const document = new DocumentStore(saving.shown, { now, tell, onEdits: (edits) => saving.push(edits) });
  document.restore(history);
  saving.start(document);
  const endHistory = keepHistory(document, kept);
  const selection = new SelectionStore(document);
  const drafts = new DraftsStore({
    document,
    selection,
    kept: keptDrafts,
    tell,
    settled: () => saving.queue.settled(),
  });
  isToldGone = (id) => drafts.isToldGone(id);
  typed = () => drafts.waitingFields;
  drafts.start();
  const line = new EditorsLine({
    roomId,
    client: () => saving.clients.current,
    onTaken: (client) => saving.clients.replace(client),
    token,
    seq: () => saving.seq,
    onNews: () => void saving.log.follow().catch(() => undefined),
    onRights: (mayEdit, status) => (mayEdit ? saving.permit() : saving.forbid(status)),
  });
  const follow = new FollowStore(line);
  const endTelling = tellOthers(line, selection, drafts);
  const end = () => {
    endTelling();
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
    font: settings.font_url,
    place,
    end,
  };
}
