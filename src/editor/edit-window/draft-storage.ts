import { z } from 'zod';
import type { ElementFields } from '../../../engine/document/commands.ts';
import { storedText } from '../../ui/storage.ts';

/** Fields that were typed and are not saved, by the element's id. */
export type TypedFields = ReadonlyMap<number, ElementFields>;

/** Where what is typed outlives the page. */
export interface DraftStorage {
  /** What earlier pages left behind. */
  load(): TypedFields;
  /**
   * Keeps fields, and forgets those of other elements. What other pages keep of further elements stays.
   * @returns false where the browser stores nothing
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
 * The browser's storage, which has written down what is typed before the page can go.
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
