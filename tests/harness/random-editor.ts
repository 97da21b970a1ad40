import { applyCommand, readCommand } from '../../engine/document/commands.ts';
import { flatRoom, type Room } from '../../engine/document/room.ts';
import type { Client } from '../../src/contract/client.ts';
import type { RoomLogEntry, SentCommand } from '../../src/contract/entities.ts';
import { ApiError } from '../../src/contract/errors.ts';

/** Random numbers from 0 to below 1, reproducible by seed. */
export function seeded(seed: number): () => number {
  let state = seed * 2_654_435_769 + 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 1 | state) >>> 0;
    state = (state + Math.imul(state ^ (state >>> 7), 61 | state)) >>> 0;
    return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Maximum attempts for a call without a response. */
const ATTEMPTS = 5;

const TYPES = ['group', 'text', 'button', 'light'] as const;
const NAMES = ['Red', 'Blue', 'Grüße', '', '世界'];

/** Edits a space at random through the API, and follows others' edits through its log. */
export class RandomEditor {
  readonly #client: Client;
  readonly #id: number;
  readonly #name: string;
  readonly #random: () => number;
  #seq = 0;
  #mutation = 0;
  #leased: number[] = [];
  /** The document built from the log's entries. */
  room!: Room;
  /** Number of successful calls that were repeated on purpose, and of all successful calls. */
  sentTwice = 0;
  done = 0;
  /** Number of calls without a response in time. */
  unanswered = 0;

  constructor(client: Client, id: number, name: string, random: () => number) {
    this.#client = client;
    this.#id = id;
    this.#name = name;
    this.#random = random;
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!;
  }

  async #load(): Promise<void> {
    const {
      seq,
      timestamp_current: _1,
      timestamp_start_of_day: _2,
      timestamp_end_of_day: _3,
      ...rest
    } = await this.#client.rooms.read({ params: { id: this.#id }, query: { seq: '1' } });
    const { policies: _4, updated_at: _5, ...room } = rest;
    this.#seq = seq!;
    this.room = { ...flatRoom(room), template: null };
  }

  /** Applies new entries of the log, including its own. */
  async follow(): Promise<void> {
    for (;;) {
      const query = { after: this.#seq, limit: 100 };
      const { entries, seq } = await this.#client.rooms.log({ params: { id: this.#id }, query });
      for (const entry of entries) {
        for (const command of entry.commands) this.room = applyCommand(this.room, readCommand(command)).room;
        this.#seq = entry.seq;
      }
      if (this.#seq >= seq) return;
    }
  }

  async wholeLog(): Promise<RoomLogEntry[]> {
    const all: RoomLogEntry[] = [];
    for (;;) {
      const query = { after: all.at(-1)?.seq ?? 0, limit: 100 };
      const { entries } = await this.#client.rooms.log({ params: { id: this.#id }, query });
      if (entries.length === 0) return all;
      all.push(...entries);
    }
  }

  async edit(calls: number): Promise<void> {
    await this.#load();
    for (let call = 0; call < calls; call++) {
      if (this.#random() < 0.3) await this.follow();
      await this.#send(Array.from({ length: 1 + Math.floor(this.#random() * 4) }, (_, index) => this.#command(index)));
    }
  }

  #command(index: number): SentCommand {
    const known = this.room.elements.map(({ id }) => id);
    const place = () => ({
      parent: this.#random() < 0.5 || known.length === 0 ? null : this.#pick(known),
      after: this.#random() < 0.5 && known.length > 0 ? this.#pick(known) : undefined,
    });
    const kind = this.#random();
    if (kind < 0.4 || known.length < 3) {
      const leased = this.#random() < 0.5 ? this.#leased.pop() : undefined;
      const element = { id: leased ?? -1 - index, element: this.#pick(TYPES), name: this.#pick(NAMES) };
      return { type: 'element.add', element, ...place() };
    }
    const id = this.#pick(known);
    if (kind < 0.7) {
      const fields = { name: this.#pick(NAMES), position_x: Math.round(this.#random() * 100), hidden: kind < 0.5 };
      return { type: 'element.update', id, fields };
    }
    if (kind < 0.85) return { type: 'element.move', id, ...place() };
    if (kind < 0.95) return { type: 'element.remove', id };
    return { type: 'room.update', fields: { title: `Hall ${this.#pick(NAMES)}`, config: { ambient_light: kind } } };
  }

  async #send(commands: SentCommand[]): Promise<void> {
    const body = { client: this.#name, mutation: ++this.#mutation, commands, origin: 'editor', lease: 0 } as const;
    const lease = this.#leased.length === 0 ? 5 : 0;
    const send = async (more: object) => {
      for (let attempt = 1; ; attempt++)
        try {
          return await this.#client.rooms.commit({ params: { id: this.#id }, body: { ...body, ...more } });
        } catch (error) {
          // Without a response, the outcome is unknown: the call is repeated under the same number.
          if (error instanceof ApiError || attempt === ATTEMPTS) throw error;
          this.unanswered++;
        }
    };
    try {
      const { seq, ids, leased } = await send({ lease });
      this.#leased.push(...leased);
      this.done++;
      if (this.#random() > 0.2) return;
      const again = await send({});
      this.sentTwice++;
      if (again.seq !== seq || JSON.stringify(again.ids) !== JSON.stringify(ids)) throw new Error('Done twice.');
    } catch (error) {
      // A concurrent edit removed the target, or moved it into the element to move.
      if (!(error instanceof ApiError) || ![409, 422].includes(error.status)) throw error;
      await this.follow();
    }
  }
}
