import { applyCommand } from '../../../engine/document/commands.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { Client } from '../../contract/client.ts';
import type { ElementRow } from '../../contract/entities.ts';
import { DraftsStore, type Offer } from '../edit-window/drafts-store.ts';
import type { KeptDrafts } from '../edit-window/kept-drafts.ts';
import { isAnswerOf } from '../saving/conflict.ts';
import { newestChange } from '../saving/follower.ts';
import type { KeptQueue, QueueEntry } from '../saving/kept-queue.ts';
import { aboutOf, commandsOf, remapTask } from '../saving/save-task.ts';
import { SavingStore } from '../saving/saving-store.ts';
import { elementBodyOf } from '../saving/send-task.ts';
import { roomOf, ServerState } from '../saving/server-state.ts';
import { DocumentStore } from '../session/document-store.ts';
import type { Editor } from '../session/editor-context.ts';
import { SelectionStore } from '../session/selection-store.ts';
import { reserveTemporaryId } from '../session/temporary-ids.ts';

/** What an editor is opened with. */
export interface OpenOptions {
  client: Client;
  roomId: number;
  userId: number;
  /** Whether the user may read the change log. */
  mayReadLog: boolean;
  kept: KeptQueue;
  keptDrafts: KeptDrafts;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  tell(text: string, offer?: Offer): void;
  pauses?: readonly number[];
}

/** Entries whose `add` had arrived although its answer never came: they speak of the stored element from now on. */
function settleArrived(kept: readonly QueueEntry[], rows: readonly ElementRow[]): QueueEntry[] {
  const arrived = new Map<number, number>();
  const left: QueueEntry[] = [];
  for (const entry of kept) {
    const task = remapTask(entry.task, arrived);
    const { sentAfter } = entry;
    const row =
      task.kind === 'add' && sentAfter !== undefined
        ? rows.find((candidate) => candidate.id > sentAfter && isAnswerOf(elementBodyOf(task.element), candidate))
        : undefined;
    if (row && task.kind === 'add') arrived.set(task.element.id, row.id);
    else left.push({ ...entry, task });
  }
  return left;
}

/** The room with what still waits to be saved; what no longer fits is left to the saving to tell. */
function withWaiting(room: Room, entries: readonly QueueEntry[]): Room {
  let result = room;
  for (const { task } of entries)
    for (const command of commandsOf(task, result))
      try {
        result = applyCommand(result, command).room;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
  return result;
}

/**
 * Opens a room for editing: as the server has it, with what earlier pages could not save any more.
 * @throws ApiError when the room cannot be read
 */
export async function openEditor({
  client,
  roomId,
  userId,
  mayReadLog,
  kept,
  keptDrafts,
  now,
  tell,
  pauses,
}: OpenOptions): Promise<Editor> {
  const seen = mayReadLog ? await newestChange(client, roomId) : null;
  // Versions are read before the room, so that none is newer than what is shown.
  const rows = await client.elements.list({ query: { room_id: roomId } });
  const [answer, settings] = await Promise.all([
    client.rooms.read({ params: { id: roomId } }),
    // Without it, 3D texts show in the built-in font: no reason not to open.
    client.visit.settings().catch(() => ({ font_url: '' })),
  ]);
  const waiting = await kept.load().catch(() => []);
  const entries = settleArrived(waiting, rows);
  for (const { task } of entries) aboutOf(task).forEach(reserveTemporaryId);
  const server = new ServerState(answer, rows);
  const saving = new SavingStore({ client, roomId, userId, seen, server, kept, tell, ...(pauses && { pauses }) });
  const document = new DocumentStore(withWaiting(roomOf(answer), entries), {
    now,
    onEdit: (edit, room) => saving.push(edit, room),
  });
  const gone = waiting.filter(({ seq }) => !entries.some((entry) => entry.seq === seq)).map(({ seq }) => seq);
  await kept.write({ put: entries, remove: gone }).catch(() => undefined);
  saving.queue.restore(entries);
  saving.start(document);
  const selection = new SelectionStore(document);
  const drafts = new DraftsStore({ document, selection, saving, kept: keptDrafts, tell });
  drafts.start();
  return {
    document,
    selection,
    saving,
    drafts,
    client,
    roomId,
    font: settings.font_url,
    place: () => ({ x: 0, y: 0, z: 0 }),
  };
}
