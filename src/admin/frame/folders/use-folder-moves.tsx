import { IconFolderSymlink } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { showProblem, showProblemText } from '../../../ui/notifications.ts';
import { countText } from '../../stores/list-store.ts';
import type { BulkAction } from '../BulkBar.tsx';
import { type AskedEntry, ChooseDialog, chosenEntry } from '../ChooseDialog.tsx';
import { carryItems, FolderPanel, type useFolderActions } from './FolderPanel.tsx';
import type { FoldersStore } from './folders-store.ts';

/** Moves of a list's items to folders. */
interface FolderMoves {
  dialog: ReactNode;
  /** Asks for a folder and moves items there; see `BulkAction.run`. */
  move: (ids: readonly number[], onProgress?: Parameters<BulkAction['run']>[1]) => Promise<string[] | null>;
  /** The action for selected items; none without the right to move. */
  bulk: BulkAction[];
  /** Props of the list screen: the folders, into which rows can be dragged. */
  list: { aside: ReactNode; carry?: (element: HTMLElement, ids: () => readonly number[]) => () => void };
}

/**
 * Moves items of a list to folders: by a dialog, and by dragging.
 * @param mayMove whether the user has the right to, and there are folders
 * @param reload reloads the list
 */
export function useFolderMoves(
  store: FoldersStore,
  actions: ReturnType<typeof useFolderActions>,
  { mayMove, reload }: { mayMove: boolean; reload(): Promise<void> },
): FolderMoves {
  const [asked, setAsked] = useState<AskedEntry | null>(null);
  const { nouns } = store;
  const move: FolderMoves['move'] = async (ids, onProgress) => {
    const folderId = await chosenEntry(setAsked, {
      title: `Move ${countText(ids.length, nouns)}`,
      label: 'To folder',
      placeholder: 'No folder',
      action: 'Move',
      find: async (words) => store.matching(words),
    });
    return folderId === undefined ? null : store.moveItems(ids, folderId, { reload, onProgress });
  };
  const drop = async (ids: readonly number[], folderId: number | null) => {
    for (const problem of await store.moveItems(ids, folderId, { reload })) showProblemText(problem);
  };
  const onMove = mayMove
    ? (ids: readonly number[], to: number | null) => void drop(ids, to).catch(showProblem)
    : undefined;
  return {
    dialog: asked && <ChooseDialog asked={asked} />,
    move,
    bulk: mayMove ? [{ label: 'Move', icon: <IconFolderSymlink size={16} aria-hidden />, run: move }] : [],
    list: {
      aside: <FolderPanel store={store} actions={actions} onMove={onMove} />,
      ...(mayMove && { carry: (element, ids) => carryItems(element, ids, nouns) }),
    },
  };
}
