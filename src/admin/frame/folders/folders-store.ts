import { type FolderCalls, FolderTree } from '../../../ui/folders/folder-tree.ts';
import { showNotification, showProblem } from '../../../ui/notifications.ts';
import type { BulkProgress } from '../../stores/bulk.ts';
import { countText } from '../../stores/list-store.ts';

type OnProgress = ((progress: BulkProgress) => void) | undefined;

/** Moves items to a folder. @returns the moved items, and messages about the others */
export type MoveItems = (
  ids: readonly number[],
  folderId: number | null,
  onProgress?: OnProgress,
) => Promise<{ changed: readonly number[]; problems: string[] }>;

/** The folders of an organization, and moves of items between them. */
export class FoldersStore extends FolderTree {
  /** Plural noun of the items. */
  readonly nouns: string;
  readonly #move: MoveItems;
  /** Folder in which an item was last seen, for undo. */
  readonly #seen = new Map<number, number | null>();

  constructor(calls: FolderCalls, { nouns, move }: { nouns: string; move: MoveItems }) {
    super(calls);
    this.nouns = nouns;
    this.#move = move;
  }

  /** Records where listed items are. */
  see(rows: readonly { id: number; folder_id: number | null }[]): void {
    for (const { id, folder_id } of rows) this.#seen.set(id, folder_id);
  }

  /**
   * Moves items to a folder, and offers to undo it.
   * @param reload reloads the list of items
   * @returns messages about items that were not moved
   */
  async moveItems(
    ids: readonly number[],
    folderId: number | null,
    { reload, onProgress }: { reload(): Promise<void>; onProgress?: OnProgress },
  ): Promise<string[]> {
    const moved = ids.filter((id) => !this.#seen.has(id) || this.#seen.get(id) !== folderId);
    if (moved.length === 0) return [];
    const before = new Map(moved.map((id) => [id, this.#seen.get(id)]));
    const { changed, problems } = await this.#move(moved, folderId, onProgress);
    await Promise.all([this.load(), reload()]);
    const undo = async () => {
      for (const [folder, group] of Map.groupBy(changed, (id) => before.get(id)))
        if (folder !== undefined) await this.#move(group, folder);
      await Promise.all([this.load(), reload()]);
    };
    if (changed.length > 0)
      showNotification(
        `${countText(changed.length, this.nouns)} moved to ${this.find(folderId)?.path ?? 'no folder'}.`,
        { label: 'Undo', act: () => void undo().catch(showProblem) },
      );
    return problems;
  }
}
