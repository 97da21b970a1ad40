import { computed, makeObservable, observableRef, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import { showDone } from '../notifications.ts';

/** A folder, and the number of items in it without subfolders. */
interface CountedFolder {
  id: number;
  parent_id: number | null;
  name: string;
  items: number;
}

/** A folder in the tree. */
export interface FolderNode extends CountedFolder {
  /** Names from the top, such as “Museum / East wing”. */
  path: string;
  /** Number of items in it and its subfolders. */
  total: number;
  children: FolderNode[];
}

/** Calls of the folders of one kind of item. */
export interface FolderCalls {
  list(): Promise<readonly CountedFolder[]>;
  create(name: string, parentId: number | null): Promise<unknown>;
  update(id: number, changes: { name?: string; parent_id?: number | null }): Promise<unknown>;
  remove(id: number): Promise<unknown>;
}

/** Calls of folders for spaces. */
export const spaceFolders = ({ folders }: Client): FolderCalls => ({
  list: async () => (await folders.list()).map(({ spaces, ...folder }) => ({ ...folder, items: spaces })),
  create: (name, parent_id) => folders.create({ body: { name, parent_id } }),
  update: (id, body) => folders.update({ params: { id }, body }),
  remove: (id) => folders.remove({ params: { id } }),
});

/** Calls of folders for files of the media library. */
export const mediaFolders = ({ mediaFolders: folders }: Client): FolderCalls => ({
  list: async () => (await folders.list()).map(({ files, ...folder }) => ({ ...folder, items: files })),
  create: (name, parent_id) => folders.create({ body: { name, parent_id } }),
  update: (id, body) => folders.update({ params: { id }, body }),
  remove: (id) => folders.remove({ params: { id } }),
});

/** The folders of an organization for one kind of item. */
export class FolderTree {
  readonly #calls: FolderCalls;
  folders: readonly CountedFolder[] = [];

  constructor(calls: FolderCalls) {
    this.#calls = calls;
    makeObservable(this, { folders: observableRef, tree: computed, all: computed, byId: computed });
  }

  async load(): Promise<void> {
    const folders = await this.#calls.list();
    runInAction(() => (this.folders = folders));
  }

  /** The tree, by name. */
  get tree(): FolderNode[] {
    const below = Map.groupBy(this.folders, ({ parent_id }) => parent_id);
    const visit = (parent: number | null, above: string): FolderNode[] =>
      (below.get(parent) ?? []).map((folder) => {
        const path = above + folder.name;
        const children = visit(folder.id, `${path} / `);
        return { ...folder, path, children, total: children.reduce((sum, { total }) => sum + total, folder.items) };
      });
    return visit(null, '');
  }

  /** All folders, parents before their children. */
  get all(): FolderNode[] {
    const visit = (nodes: readonly FolderNode[]): FolderNode[] =>
      nodes.flatMap((node) => [node, ...visit(node.children)]);
    return visit(this.tree);
  }

  /** All folders by id. */
  get byId(): ReadonlyMap<number, FolderNode> {
    return new Map(this.all.map((folder) => [folder.id, folder]));
  }

  find(id: number | null): FolderNode | undefined {
    return id === null ? undefined : this.byId.get(id);
  }

  /** Folders whose paths contain all words, for selects. */
  matching(words: string, except: ReadonlySet<number> = new Set()): { id: number; name: string }[] {
    const each = words.toLowerCase().split(/\s+/);
    return this.all
      .filter(({ id, path }) => !except.has(id) && each.every((word) => path.toLowerCase().includes(word)))
      .map(({ id, path }) => ({ id, name: path }));
  }

  /** Ids of a folder and its subfolders. */
  branchOf(id: number): Set<number> {
    const visit = (node: FolderNode): number[] => [node.id, ...node.children.flatMap(visit)];
    const node = this.find(id);
    return new Set(node ? visit(node) : []);
  }

  async create(name: string, parentId: number | null): Promise<void> {
    await this.#calls.create(name, parentId);
    await this.load();
  }

  async update(id: number, changes: { name?: string; parent_id?: number | null }): Promise<void> {
    await this.#calls.update(id, changes);
    await this.load();
  }

  async remove({ id, name }: FolderNode): Promise<void> {
    await this.#calls.remove(id);
    await this.load();
    showDone(`Folder “${name}” removed.`);
  }
}
