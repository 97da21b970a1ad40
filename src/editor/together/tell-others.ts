import { reaction } from 'mobx';
import type { DraftsStore } from '../edit-window/drafts-store.ts';
import { ROOM } from '../fields/draft-store.ts';
import type { SelectionStore } from '../session/selection-store.ts';
import type { EditorsLine } from './editors-line.ts';

/** Ids that a presence holds at most. */
const MAX_TOLD = 100;

/** Tells others what is selected, and in which element something is being written. @returns ends it */
export function tellOthers(
  line: EditorsLine,
  selection: SelectionStore,
  drafts: Pick<DraftsStore, 'open'>,
): () => void {
  return reaction(
    () => ({
      selection: selection.ids.slice(0, MAX_TOLD),
      writing: drafts.open?.isChanged && drafts.open.subject.id !== ROOM ? drafts.open.subject.id : null,
    }),
    (presence) => line.tell(presence),
    { fireImmediately: true },
  );
}
