import type { Selectable } from 'kysely';
import type { ImportKind } from '../../../contract/entities.ts';
import type { EndpointTable } from '../../base/db/structure-tables.ts';
import type { StoredToken } from '../../store/access-tokens/access-tokens-repository.ts';
import type { StoredElement } from '../../store/elements/element-row.ts';
import type { RemovedRoom } from '../../store/rooms/remove-room.ts';
import type { StoredRoom } from '../../store/rooms/rooms-repository.ts';
import type { TemplateRow } from '../../store/templates/templates-repository.ts';
import type { StoredUser } from '../../store/users/users-repository.ts';
import type { UserFields } from '../../store/users/write-users.ts';

/**
 * What takes one thing of an import back. `mark` is what `markOf` gave when the import was done, to see whether somebody
 * changed the thing since; `stamp` is its stamp from then.
 */
export type UndoStep =
  | { kind: Exclude<ImportKind, 'access_tokens'>; done: 'create'; id: number; mark: string; name: string }
  | {
      kind: 'rooms';
      done: 'update';
      id: number;
      mark: string;
      name: string;
      room: StoredRoom;
      elements: StoredElement[];
    }
  | { kind: 'templates'; done: 'update'; id: number; mark: string; stamp: string; name: string; row: TemplateRow }
  | {
      kind: 'endpoints';
      done: 'update';
      id: number;
      mark: string;
      stamp: string;
      name: string;
      row: Selectable<EndpointTable>;
    }
  | { kind: 'users'; done: 'update'; id: number; mark: string; name: string; fields: UserFields }
  | { kind: 'rooms'; done: 'remove'; id: number; name: string; content: RemovedRoom }
  | { kind: 'templates'; done: 'remove'; id: number; name: string; row: TemplateRow }
  | { kind: 'endpoints'; done: 'remove'; id: number; name: string; row: Selectable<EndpointTable> }
  | { kind: 'users'; done: 'remove'; id: number; name: string; row: StoredUser }
  // Tokens go by their structure: those between two ids that have a stamp, or rows as they were.
  | {
      kind: 'access_tokens';
      done: 'create';
      id: number;
      name: string;
      added: { first: number; last: number; count: number; at: string };
    }
  | { kind: 'access_tokens'; done: 'update' | 'remove'; id: number; name: string; rows: StoredToken[] };
