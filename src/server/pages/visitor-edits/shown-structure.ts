import { commandsBetween } from '../../../../engine/document/commands-between.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { ApiError } from '../../../contract/errors.ts';
import { VISITOR_EDITS_CLOSE, type VisitorServerMessage } from '../../../contract/visitor-edits.ts';
import { findMoved } from '../../features/endpoints/queries.ts';
import { findPublicEndpoint, openEndpoint } from '../../features/visits/public-endpoints.ts';
import type { PageServices } from '../../features/visits/read-visit.ts';
import { enterEndpoint } from '../../features/visits/service.ts';
import { jsonFrame } from '../sockets/socket-frame.ts';
import type { VisitorConnection } from './visitor-connection.ts';

/** Maximum bytes of a message with commands; for longer ones, the page reloads the structure. */
const MAX_STEP_LENGTH = 512 * 1024;
/** Number and total bytes of steps cached for pages with an older state. */
const STEPS = { count: 50, length: 1024 * 1024 };

interface State {
  roomId: number;
  tag: string;
  room: Room;
  language: string | undefined;
}

interface Step {
  from: string;
  to: string;
  /** The message; null if the structure has to be reloaded. */
  frame: Buffer | null;
}

const frameOf = (news: VisitorServerMessage): Buffer => jsonFrame(news);

/** Whether an error means that access is denied, not that something failed. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/** A structure with the pages that show it in one language, which receive changes of its room. */
export class ShownStructure {
  readonly organizationId: number;
  /** Slugs of its path, which may change during a visit. */
  #slugs: readonly string[];
  readonly #services: PageServices;
  #wanted: readonly string[];
  /** State shown by each page, by its connection. */
  readonly #pages = new Map<VisitorConnection, string>();
  #state: State | null = null;
  #steps: Step[] = [];
  #refreshing: Promise<void> = Promise.resolve();

  /** @param language language that the first page names; undefined if the space states none */
  constructor(services: PageServices, organizationId: number, slugs: readonly string[], language: string | undefined) {
    this.#services = services;
    this.organizationId = organizationId;
    this.#slugs = slugs;
    this.#wanted = language === undefined ? [] : [language];
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  /** The space it shows; undefined before the first read. */
  get roomId(): number | undefined {
    return this.#state?.roomId;
  }

  /** Reads it, and stays with the language that it is served in. @returns undefined if it has none or can't be entered */
  async settle(): Promise<string | undefined> {
    await this.refresh();
    const language = this.#state?.language;
    this.#wanted = language === undefined ? [] : [language];
    return language;
  }

  leave(connection: VisitorConnection): void {
    this.#pages.delete(connection);
  }

  /** Adds a page, and sends it the changes since its state. */
  async join(connection: VisitorConnection, tag: string): Promise<void> {
    this.#pages.set(connection, tag);
    if (await this.#refuse(connection)) return;
    await this.refresh();
    this.#catchUp(connection);
  }

  /** Runs an action with the structure's path, following a move. */
  async #atAddress<T>(act: (slugs: readonly string[]) => Promise<T>): Promise<T> {
    try {
      return await act(this.#slugs);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      const moved = await findMoved(this.#services.db, this.organizationId, this.#slugs);
      if (!moved) throw error;
      const result = await act(moved.slugs);
      this.#slugs = moved.slugs;
      return result;
    }
  }

  /** Closes the connection of a visitor without access. @returns whether it did */
  async #refuse(connection: VisitorConnection): Promise<boolean> {
    const { db, clock } = this.#services;
    const token = connection.opening?.token ?? null;
    try {
      await this.#atAddress((slugs) => enterEndpoint({ db, clock, token }, this.organizationId, slugs));
      return false;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#pages.delete(connection);
      connection.end(VISITOR_EDITS_CLOSE.closed, "You don't have access to this structure.");
      return true;
    }
  }

  async #read(): Promise<State | null> {
    const { db } = this.#services;
    const { room } = await this.#atAddress(async (slugs) => {
      const endpoint = await findPublicEndpoint(db, this.organizationId, slugs);
      return openEndpoint(this.#services, { endpoint, visitEndsAt: null }, slugs, 'public', this.#wanted);
    });
    if (!room) return null;
    if (room.tag === this.#state?.tag) return this.#state;
    return { roomId: room.document.id, tag: room.tag, room: room.document, language: room.language };
  }

  /** Reads the structure's current state, and sends its changes to the pages. */
  refresh(): Promise<void> {
    // Serialized, so that no older result arrives after a newer one.
    this.#refreshing = this.#refreshing.catch(() => undefined).then(() => this.#refresh());
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    const before = this.#state;
    let state: State | null;
    try {
      state = await this.#read();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      for (const page of this.#pages.keys()) await this.#refuse(page);
      return;
    }
    // If nothing is visible now, present visitors stay with their last state.
    if (!state || state === this.#state) return;
    this.#state = state;
    if (!before) return;
    this.#remember(before, state);
    for (const page of [...this.#pages.keys()]) if (!(await this.#refuse(page))) this.#catchUp(page);
  }

  #remember(before: State, { tag, room, roomId, language }: State): void {
    const isSame = before.roomId === roomId && before.language === language;
    const commands = isSame ? commandsBetween(before.room, room) : null;
    const frame = commands && frameOf({ type: 'edits', from: before.tag, to: tag, commands });
    this.#steps.push({ from: before.tag, to: tag, frame: frame && frame.length <= MAX_STEP_LENGTH ? frame : null });
    let length = this.#steps.reduce((sum, step) => sum + (step.frame?.length ?? 0), 0);
    while (this.#steps.length > STEPS.count || length > STEPS.length) length -= this.#steps.shift()!.frame?.length ?? 0;
  }

  /** Sends a page the steps from its state to the current one. */
  #catchUp(connection: VisitorConnection): void {
    const tag = this.#pages.get(connection);
    if (tag === undefined || !this.#state || tag === this.#state.tag) return;
    const { tag: to } = this.#state;
    this.#pages.set(connection, to);
    const first = this.#steps.findLastIndex(({ from }) => from === tag);
    const steps = first < 0 ? [] : this.#steps.slice(first);
    const frames = steps.flatMap(({ frame }) => frame ?? []);
    if (steps.length === 0 || frames.length < steps.length) connection.sendFrame(frameOf({ type: 'reload', to }));
    else for (const frame of frames) connection.sendFrame(frame);
  }
}
