import type { ReactNode } from 'react';
import type { Client } from '../../contract/client.ts';
import type { Area } from '../../contract/entities.ts';
import type { SessionStore } from '../../ui/session/session-store.ts';
import type { Renaming, Stamped } from './renaming.tsx';

/** A list column besides the name. */
export interface Column<Row> {
  /** Id under which the browser remembers it. */
  id: string;
  label: string;
  /** Sort key of the API, if sortable; with a leading minus, the first click sorts in descending order. */
  order?: string;
  cell(row: Row): ReactNode;
}

/** A resource of the back-office, declared once: its list screen and its form read everything from here. */
export interface Resource<Row extends { id: number }> {
  title: string;
  /** Noun for an entry, such as "space". */
  noun: string;
  /** Plural noun; also the key under which the browser remembers the list's layout. */
  nouns: string;
  /** Area whose rights it needs. */
  area: Area;
  /** Path of the list; `add` and the ids of entries are below it. */
  path: string;
  /** Path of the form of a new entry, if not `add` below the list; null if entries are added elsewhere. */
  addPath?: string | null;
  /** Text for an empty list. */
  empty: string;
  nameOf(row: Row): string;
  /** Whether names are codes, shown in a monospaced font. */
  isCode?: boolean;
  /** URL parameters that filter the list, besides search, page and sort. */
  filters?: readonly string[];
  /** URL parameter of the place whose entries the list shows, such as a folder. */
  place?: string;
  /** Columns besides the name; without them, the screen renders the rows. */
  columns?: readonly Column<Row>[];
  /** Ids of columns that are hidden at first. */
  hidden?: readonly string[];
  /** Heading of the name column, "Name" by default. */
  heading?: string;
  /** Sort key of the name column; null if it is not sortable. By name if missing. */
  order?: string | null;
  /** Default sort key, by name if missing. */
  usual?: string;
  /** Label of the default order, if no column has it. */
  usualLabel?: string;
  /** Content before the name, such as a poster. */
  lead?(row: Row): ReactNode;
  /** Whether the user may change or remove a row; if missing, their rights in the area decide. */
  may?(row: Row, right: 'update' | 'delete', session: SessionStore): boolean;
  /** Whether users who may not change an entry can open its form, which is then read-only. */
  isViewed?: boolean;
  /** Target of a row's name, if it isn't its form; undefined if there is none. */
  linkOf?(row: Row): string | undefined;
  /** Renames an entry in the list. @param stamp version of the entry, if not that of the row */
  rename?(client: Client, row: Row, name: string, stamp?: string): Promise<Stamped>;
  /** Texts about removal, where they aren't the usual ones; missing if entries can't be removed here. */
  removal?: {
    title?: string | ((row: Row) => string);
    text?: string | ((row: Row) => string);
    /** Confirmation of a bulk removal. */
    question?: string | ((ids: readonly number[], client: Client) => Promise<string>);
    /** Why a row can't be removed now, if it can't. */
    refuse?(row: Row): string | undefined;
  };
}

/** Rights that the server states per row. */
export const rowRights = (
  { policies }: { policies: { update: boolean; delete: boolean } },
  right: 'update' | 'delete',
) => policies[right];

/** Parts of a row besides its columns. */
export interface RowParts<Row extends { id: number }> {
  renaming: Renaming<Row>;
  /** Checkbox for bulk selection. */
  checkOf(row: Row): ReactNode;
  /** Target of a row's name; undefined if there is none. */
  linkOf(row: Row): string | undefined;
  actionsOf(row: Row): ReactNode;
  /** Makes a row draggable; missing if rows can't be dragged. @returns a function that stops it */
  carry?(element: HTMLElement, row: Row): () => void;
}
