import type { Element, ElementOf, ElementType } from '../element.ts';
import type { Room } from '../room.ts';
import type { LintCode, Severity } from './codes.ts';

/** One thing in a room that is wrong, or probably not meant. */
export interface Finding {
  severity: Severity;
  /** Where in the document, like `elements[2].children[0].config.navigation`; empty for the document itself. */
  path: string;
  /** The element concerned; left out for settings of the room. */
  element_id?: number;
  code: LintCode;
  /** What is wrong, in a sentence. */
  message: string;
  /** What to do about it, in a sentence. */
  suggestion: string;
}

/** An element as rules see it. Its `children` are in `room.placed`, each with its own path. */
export interface Placed<T extends Element = Element> {
  element: T;
  /** Path of the element in the document. */
  path: string;
  /** The elements that hold it, nearest first; null when one of them could not be read. */
  ancestors: readonly Element[] | null;
  /** How many children the document gives it, readable or not. */
  childCount: number;
}

/** What could be read of a room, flat. */
export interface LintedRoom {
  /** The room without its elements. */
  room: Room;
  /** Every element that could be read, parents before children. */
  placed: readonly Placed[];
  byId: ReadonlyMap<number, Placed>;
  /** Ids of elements that could not be read: what points at them does not point at nothing. */
  unread: ReadonlySet<number>;
  /** Seconds since 1970; undefined where it is not known, and so which days come next. */
  now?: number | undefined;
}

/** Takes one finding of a rule. A place is a placed element, or null for the room; `path` goes on from there. */
export type Report = (code: LintCode, at: Placed | null, path: string, message: string, suggestion: string) => void;

/** Looks at a room and reports what it finds. Each rule is a pure function of the room. */
export type Rule = (room: LintedRoom, report: Report) => void;

/** The elements of one type. */
export function placedOf<T extends ElementType>({ placed }: LintedRoom, type: T): Placed<ElementOf<T>>[] {
  return placed.filter((one): one is Placed<ElementOf<T>> => one.element.element === type);
}

/** Whether an element, or one that holds it, is hidden. */
export const isHidden = ({ element, ancestors }: Placed): boolean =>
  element.hidden || (ancestors ?? []).some(({ hidden }) => hidden);

/** How a message names an element: its type and what a person recognizes it by. */
export function titleOf(element: Element): string {
  const type = element.element.replace('_', ' ');
  const name = element.name || ('name' in element.config && element.config.name) || '';
  return name ? `The ${type} "${name}"` : `The ${type} with id ${element.id}`;
}

/** Whether HTML shows nothing: no text and nothing that is seen without text. */
export const isBlank = (html: string): boolean =>
  !/<(?:img|video|audio|iframe|svg|hr|input|button)\b/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/gi, '') === '';
