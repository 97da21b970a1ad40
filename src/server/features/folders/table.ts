import type { ChangedEntity } from '../../../contract/entities.ts';
import type { Owned } from '../../core/db/column-types.ts';

export interface FolderTable extends Owned {
  /** Null at the top. */
  parent_id: number | null;
  name: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    folders: FolderTable;
    media_folders: FolderTable;
  }
}

/** Folders of one kind of item. */
export interface FolderKind {
  table: 'folders' | 'media_folders';
  /** Table of the items, whose `folder_id` refers to the folders. */
  items: 'rooms' | 'media';
  entity: ChangedEntity;
  /** Whether users can be limited to some of the folders. */
  isLimited: boolean;
}

export const SPACE_FOLDERS: FolderKind = { table: 'folders', items: 'rooms', entity: 'folder', isLimited: true };
export const MEDIA_FOLDERS: FolderKind = {
  table: 'media_folders',
  items: 'media',
  entity: 'media_folder',
  isLimited: false,
};
