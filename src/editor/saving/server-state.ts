import type { Element, FlatElement } from '../../../engine/document/element.ts';
import { remapElement, remapRoomConfig, remapSettings } from '../../../engine/document/remap.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { AdminRoom, ElementRow } from '../../contract/entities.ts';
import { ServerIds } from './server-ids.ts';

/** A room as a document, without what the call adds to it. */
export function roomOf(answer: AdminRoom): Room {
  const {
    timestamp_current: _now,
    timestamp_start_of_day: _start,
    timestamp_end_of_day: _end,
    updated_at: _stamp,
    policies: _policies,
    ...room
  } = answer;
  return room;
}

/** Fields of an element row that an edit can change, in the document's ids. */
export function fieldsOfRow(row: ElementRow, ids: ServerIds): Omit<FlatElement, 'id' | 'element'> {
  const {
    id: _id,
    element: _type,
    parent_element_id,
    room_id: _room,
    order_rank: _rank,
    updated_at: _stamp,
    ...fields
  } = row;
  return {
    ...fields,
    parent_element_id: parent_element_id === null ? null : ids.here(parent_element_id),
    config: remapSettings(fields.config, ids.inward),
  } as Omit<FlatElement, 'id' | 'element'>;
}

/** Settings of a room in the document's ids. */
export const roomFieldsOf = (room: Room, ids: ServerIds): Room => ({
  ...room,
  config: remapRoomConfig(room.config, ids.inward),
});

/** A room of the server in the document's ids. */
export function documentOf(room: Room, ids: ServerIds): Room {
  const here = (list: readonly Element[], parent: number | null): Element[] =>
    list.map((element) => {
      const id = ids.here(element.id);
      const children = here(element.children, id);
      return { ...remapElement(element, ids.inward), id, parent_element_id: parent, children };
    });
  return { ...roomFieldsOf(room, ids), elements: here(room.elements, null) };
}

/** What the server last said of each thing: which version it is, and how its fields were. */
export class ServerState {
  readonly ids = new ServerIds();
  readonly #rows = new Map<number, ElementRow>();
  room: AdminRoom;
  /** Highest id of an element that was ever seen. */
  highest = 0;

  constructor(room: AdminRoom, rows: readonly ElementRow[]) {
    this.room = room;
    this.replace(room, rows);
  }

  /** Takes over the whole room. */
  replace(room: AdminRoom, rows: readonly ElementRow[]): void {
    this.room = room;
    this.#rows.clear();
    for (const row of rows) this.note(row);
  }

  /** @param id the server's id */
  row(id: number): ElementRow | undefined {
    return this.#rows.get(id);
  }

  note(row: ElementRow): void {
    this.#rows.set(row.id, row);
    this.highest = Math.max(this.highest, row.id);
  }

  /** @param id the server's id */
  forget(id: number): void {
    this.#rows.delete(id);
  }
}
