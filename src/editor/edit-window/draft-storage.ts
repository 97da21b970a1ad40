import { z } from 'zod';
import type { ElementFields } from '../../../engine/document/commands.ts';
import { storedText } from '../../ui/storage.ts';

/** Unsaved typed fields by element id. */
export type TypedFields = ReadonlyMap<number, ElementFields>;

/** Storage for drafts beyond the page. */
export interface DraftStorage {
  /** Drafts of earlier pages. */
  load(): TypedFields;
  /**
   * Stores drafts of some elements and removes those of others. Drafts of other pages stay.
   * @returns false if storage fails
   */
  write(put: TypedFields, remove: Iterable<number>): boolean;
}

const entriesSchema = z.record(z.coerce.number().int(), z.looseObject({}));

function parse(text: string | null): Map<number, ElementFields> {
  try {
    const entries = entriesSchema.parse(JSON.parse(text ?? '{}'));
    return new Map(Object.entries(entries).map(([id, fields]) => [Number(id), fields as ElementFields]));
  } catch {
    return new Map();
  }
}

/**
 * Stores drafts in localStorage, which writes synchronously, before the page can close.
 * @param owner the user and the room that the drafts belong to
 */
export function browserDrafts(owner: string): DraftStorage {
  const stored = storedText(`enfilade.editor-drafts:${owner}`);
  return {
    load: () => parse(stored.get()),
    write: (put, remove) => {
      const entries = parse(stored.get());
      for (const id of remove) entries.delete(id);
      for (const [id, fields] of put) entries.set(id, fields);
      return stored.set(entries.size > 0 ? JSON.stringify(Object.fromEntries(entries)) : null);
    },
  };
}
