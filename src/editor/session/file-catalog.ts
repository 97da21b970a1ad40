import type { RoomCommand } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import type { FileReference } from '../../../engine/document/fields.ts';
import type { Room } from '../../../engine/document/room.ts';

/** An element as in the log, with only the id of its file. */
export function bareElement(element: Element): Element {
  const { file_id, config } = element;
  const emptied = {
    ...(file_id !== null && 'file_url' in config && { file_url: '' }),
    ...(file_id !== null && 'mime' in config && { mime: '' }),
  };
  return { ...element, file: null, config: { ...config, ...emptied } } as Element;
}

/** The fields of a room as in the log; elements are unchanged. */
export function bareFields<R extends Omit<Room, 'elements'>>(room: R): R {
  const { realtime_file_id, realtime_file_url } = room.config;
  const url = realtime_file_id === null ? realtime_file_url : '';
  return { ...room, template: null, config: { ...room.config, realtime_file: null, realtime_file_url: url } };
}

/** A room as in the log. */
export const bareRoom = (room: Room): Room => ({ ...bareFields(room), elements: room.elements.map(bareElement) });

type Template = NonNullable<Room['template']>;

/** The files and templates of a room: the log has only their ids, the document all of their fields. */
export class FileCatalog {
  readonly #files = new Map<number, FileReference | null>();
  readonly #templates = new Map<number, Template | null>();
  /** Files and templates received from the server, by kind and id. */
  readonly #fromServer = new Set<string>();
  /** Elements with file fields, by the element in the log. */
  #filled = new WeakMap<Element, Element>();

  /** Adds all files of a room received from the server. */
  learn(room: Room): void {
    for (const { file_id, file } of room.elements) this.#noteFile(file_id, file, true);
    this.#noteFile(room.config.realtime_file_id, room.config.realtime_file, true);
    this.#noteTemplate(room.template_id, room.template, true);
    this.#filled = new WeakMap();
  }

  /** Adds the files of an edit, so that the user's choice is visible before the server confirms it. */
  learnFrom(command: RoomCommand): void {
    if (command.type === 'element.add') for (const { file_id, file } of command.elements) this.#noteFile(file_id, file);
    if (command.type === 'element.update') {
      const { file, file_id, config } = command.fields;
      const mime = typeof config?.mime === 'string' ? config.mime : undefined;
      this.#noteFile(file_id, file && { ...file, ...(mime && { mime }) });
    }
    if (command.type !== 'room.update') return;
    const { template, template_id, config } = command.fields;
    this.#noteFile(config?.realtime_file_id, config?.realtime_file);
    this.#noteTemplate(template_id, template);
  }

  /** Whether a room references files or templates that the server has not sent. */
  isMissing({ elements, template_id, config }: Room): boolean {
    const isUnknown = (kind: string, id: number | null) => id !== null && !this.#fromServer.has(`${kind} ${id}`);
    if (isUnknown('template', template_id) || isUnknown('file', config.realtime_file_id)) return true;
    for (const { file_id } of elements) if (isUnknown('file', file_id)) return true;
    return false;
  }

  /** Adds file fields to a room. Unchanged elements keep their identity. */
  fill(room: Room): Room {
    const { template_id, config } = room;
    const file = config.realtime_file_id === null ? null : (this.#files.get(config.realtime_file_id) ?? null);
    return {
      ...room,
      template: template_id === null ? null : (this.#templates.get(template_id) ?? null),
      config: { ...config, realtime_file: file, ...(file && { realtime_file_url: file.url }) },
      elements: room.elements.map((element) => this.#fillElement(element)),
    };
  }

  #fillElement(element: Element): Element {
    const known = this.#filled.get(element);
    if (known) return known;
    const { file_id, config } = element;
    const file = file_id === null ? null : (this.#files.get(file_id) ?? null);
    const urls = {
      ...(file && 'file_url' in config && { file_url: file.url }),
      ...(file && 'mime' in config && { mime: file.mime ?? '' }),
    };
    const filled = file ? ({ ...element, file, config: { ...config, ...urls } } as Element) : element;
    this.#filled.set(element, filled);
    return filled;
  }

  #noteFile(id: number | null | undefined, file: FileReference | null | undefined, isFromServer = false): void {
    if (typeof id !== 'number' || file === undefined) return;
    if (isFromServer) this.#fromServer.add(`file ${id}`);
    if (isFromServer || (file && !this.#files.get(id))) this.#files.set(id, file);
  }

  #noteTemplate(id: number | null | undefined, template: Template | null | undefined, isFromServer = false): void {
    if (typeof id !== 'number' || template === undefined) return;
    if (isFromServer) this.#fromServer.add(`template ${id}`);
    if (isFromServer || template) this.#templates.set(id, template);
  }
}
