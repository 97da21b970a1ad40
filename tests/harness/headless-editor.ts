import { when } from 'mobx';
import type { Element, ElementType, NestedElement } from '../../engine/document/element.ts';
import { nest } from '../../engine/document/tree.ts';
import type { Client } from '../../src/contract/client.ts';
import { newElement } from '../../src/editor/canvas/add-at.ts';
import type { Conflict } from '../../src/editor/saving/conflict.ts';
import { openEditor } from '../../src/editor/screen/open-editor.ts';
import type { Editor } from '../../src/editor/session/editor-context.ts';
import type { Offer } from '../../src/ui/notifications.ts';
import { MemoryDrafts } from './memory-drafts.ts';
import { MemoryQueue } from './memory-queue.ts';

/** Timeout in milliseconds. */
const PATIENCE = 90_000;

/** The document part of an editor, without a browser. */
export interface HeadlessEditor extends Editor {
  /** Notifications shown to the user. */
  told: string[];
  /** Their actions, in order. */
  offers: Offer[];
}

const opened: Editor[] = [];

/** Opens a room; failed calls are retried shortly after. @param kept storage of earlier editors */
export async function openHeadless(
  client: Client,
  roomId: number,
  storage = new MemoryQueue(),
  draftStorage = new MemoryDrafts(),
  now = () => performance.timeOrigin + performance.now(),
  userId?: number,
): Promise<HeadlessEditor> {
  const told: string[] = [];
  const offers: Offer[] = [];
  const token = () => null;
  const options = { client, roomId, storage, draftStorage, now, token, ...(userId !== undefined && { userId }) };
  const notify = (text: string, offer?: Offer) => {
    told.push(text);
    if (offer) offers.push(offer);
  };
  const editor = await openEditor({ ...options, pauses: [20, 50], notify });
  opened.push(editor);
  return Object.assign(editor, { told, offers });
}

export function endHeadless(): void {
  for (const editor of opened.splice(0)) editor.end();
}

/** Waits until everything is saved. @param patience milliseconds */
export const saved = ({ saving }: Editor, patience = PATIENCE): Promise<void> =>
  when(() => saving.queue.waiting === 0, { timeout: patience });

/** Waits for a conflict that the user has to resolve. */
export async function held({ saving }: Editor): Promise<Conflict> {
  await when(() => saving.conflicts.next !== null && saving.queue.isStuck, { timeout: PATIENCE });
  return saving.conflicts.next!;
}

/** Appends an element to a parent. @returns its id in the document */
export function add(
  { document, ids }: Editor,
  type: ElementType,
  fields: object = {},
  parent: number | null = null,
): number {
  const element = { ...newElement(type, ids.take()![0]!), ...fields } as Element;
  document.run({ type: 'element.add', elements: [element], parent }, { label: 'Add' });
  return element.id;
}

export const rename = ({ document }: Editor, id: number, name: string): void =>
  document.run({ type: 'element.update', id, fields: { name } }, { label: 'Rename' });

/** Names of a tree as nested lists, in order. */
export const outline = (elements: readonly (Element | NestedElement)[]): unknown[] => {
  const isTree = (list: typeof elements): list is readonly NestedElement[] => list.some(({ children }) => children);
  const tree = isTree(elements) ? elements : nest(elements as readonly Element[]);
  return tree.map(({ name, children }) => (children.length > 0 ? [name, outline(children)] : name));
};

/** A client with some of its calls replaced. @param wrap returns the replacements */
export function clientWith(
  client: Client,
  wrap: (name: string, call: (input: unknown) => Promise<unknown>) => (input: unknown) => Promise<unknown>,
): Client {
  const areas = Object.entries(client).map(([area, calls]) => [
    area,
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, wrap(name, call as never)])),
  ]);
  return Object.fromEntries(areas) as Client;
}

/** Whether a `commit` call only leases ids. */
export const isLease = (input: unknown): boolean =>
  (input as { body: { commands: unknown[] } }).body.commands.length === 0;
