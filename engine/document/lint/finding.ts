import type { Element, ElementOf, ElementType } from '../element.ts';
import type { Room } from '../room.ts';
import type { LintCode, Severity } from './codes.ts';

/** A problem in a room, or something probably unintended. */
export interface Finding {
  severity: Severity;
  /** Path in the document, such as `elements[2].children[0].config.navigation`; empty for the document itself. */
  path: string;
  /** The affected element; omitted for room settings. */
  element_id?: number;
  code: LintCode;
  /** The problem, in a sentence. */
  message: string;
  /** The fix, in a sentence. */
  suggestion: string;
}

/** An element with its context in the document. Its `children` are in `room.placed`, each with its own path. */
export interface Placed<T extends Element = Element> {
  element: T;
  path: string;
  /** Ancestors, nearest first; null if one of them couldn't be parsed. */
  ancestors: readonly Element[] | null;
  /** Number of children in the document, whether they could be parsed or not. */
  childCount: number;
}

/** The parts of a room that could be parsed, as a flat list. */
export interface LintedRoom {
  room: Room;
  /** Every parsed element, parents before children. */
  placed: readonly Placed[];
  byId: ReadonlyMap<number, Placed>;
  /** Ids of elements that couldn't be parsed, so that references to them don't count as broken. */
  unread: ReadonlySet<number>;
  /** Seconds since 1970; undefined skips checks of future days. */
  now?: number | undefined;
}

/** Reports a finding. `at` is an element, or null for the room; `path` is relative to it. */
export type Report = (code: LintCode, at: Placed | null, path: string, message: string, suggestion: string) => void;

/** Checks a room and reports findings. Rules are pure functions of the room. */
export type Rule = (room: LintedRoom, report: Report) => void;

export function placedOf<T extends ElementType>({ placed }: LintedRoom, type: T): Placed<ElementOf<T>>[] {
  return placed.filter((one): one is Placed<ElementOf<T>> => one.element.element === type);
}

/** Whether an element or one of its ancestors is hidden. */
export const isHidden = ({ element, ancestors }: Placed): boolean =>
  element.hidden || (ancestors ?? []).some(({ hidden }) => hidden);

/** An element in a message: its type and its name or content. */
export function titleOf(element: Element): string {
  const type = element.element.replace('_', ' ');
  const name = element.name || ('name' in element.config && element.config.name) || '';
  return name ? `The ${type} "${name}"` : `The ${type} with ID ${element.id}`;
}

/** Whether HTML renders nothing: no text and no visible tags. */
export const isBlank = (html: string): boolean =>
  !/<(?:img|video|audio|iframe|svg|hr|input|button)\b/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/gi, '') === '';
