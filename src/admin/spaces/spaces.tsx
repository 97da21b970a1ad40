import { makeObservable, observableRef, runInAction } from 'mobx';
import { z } from 'zod';
import { ROOM_ORDERS } from '../../contract/calls/rooms.ts';
import { calls } from '../../contract/calls.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminRoom, RoomRow } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { Poster } from '../../ui/Poster.tsx';
import { type Resource, rowRights } from '../frame/resource.ts';
import { AreaStore } from '../stores/area-store.ts';
import { chosenOrder } from '../stores/list-store.ts';

/** Fields edited here; the editor edits the rest. */
interface SpaceDraft {
  title: string;
  /** Undefined for the organization's default. */
  template_id: number | null | undefined;
}

const { title } = calls.rooms.create.body.shape;

export class SpacesStore extends AreaStore<RoomRow, AdminRoom, SpaceDraft> {
  readonly #client: Client;
  /** Default template; null if none or not loaded yet. */
  usual: { id: number; name: string } | null = null;

  /**
   * @param folder folder of new spaces; null for none
   * @param onList called with listed spaces
   */
  constructor(
    client: Client,
    { folder = null, onList }: { folder?: number | null; onList?(rows: readonly RoomRow[]): void } = {},
  ) {
    super({
      list: async ({ search, page, filters = {} }) => {
        const found = await client.rooms.list({
          query: {
            search,
            page,
            sort: chosenOrder(ROOM_ORDERS, filters),
            used: (['0', '1'] as const).find((value) => value === filters.used),
            ...(/^\d{1,15}$/.test(filters.folder ?? '') && { folder_id: Number(filters.folder) }),
          },
        });
        onList?.(found.data);
        return found;
      },
      read: (id) => client.rooms.read({ params: { id } }),
      create: (body) => client.rooms.create({ body: { ...body, folder_id: folder } }),
      update: (id, draft, updated_at) => client.rooms.update({ params: { id }, body: { ...draft, updated_at } }),
      remove: (id) => client.rooms.remove({ params: { id } }),
      bin: { client, entity: 'room' },
      bulk: { client, action: 'rooms.remove', nouns: 'spaces' },
      draftOf: (room) => ({ title: room?.title ?? '', template_id: room ? room.template_id : undefined }),
      schema: z.object({ title }),
    });
    this.#client = client;
    makeObservable(this, { usual: observableRef });
  }

  /** Preselects the default template unless the user has already chosen. */
  async chooseDefault(): Promise<void> {
    const { template_id } = await this.#client.organizations.read();
    const template = template_id === null ? null : await this.#client.templates.read({ params: { id: template_id } });
    runInAction(() => {
      this.usual = template;
      if (this.entry !== null || this.draft.template_id !== undefined) return;
      const draft = { ...this.draft, template_id };
      if (this.isDirty) this.set(draft);
      else this.begin(draft);
    });
  }
}

const MAX_NAMED_STRUCTURES = 3;

/** Names the structures that lose their space when it is removed. */
function usedText(structures: readonly { name: string }[]): string {
  if (structures.length === 0) return '';
  return ` ${shownNames(structures.map(({ name }) => ({ name: `“${name}”` })))} will show no space to visitors.`;
}

/** Names of the first structures, and how many more. */
export function shownNames(structures: readonly { name: string }[]): string {
  const names = structures.slice(0, MAX_NAMED_STRUCTURES).map(({ name }) => name);
  const more = structures.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Describes the effect of removing spaces on structures. */
async function removalText(ids: readonly number[], client: Client): Promise<string> {
  const { structures } = await client.bulk.effects({ body: { action: 'rooms.remove', ids: [...ids] } });
  const loss =
    structures === 1 ? '1 structure loses its space.' : structures > 0 && `${structures} structures lose their space.`;
  return `${loss || 'No structure shows them.'} They stay in the bin for 30 days.`;
}

export const SPACES: Resource<RoomRow> = {
  title: 'Spaces',
  noun: 'space',
  nouns: 'spaces',
  area: 'rooms',
  path: '/admin/spaces',
  isViewed: true,
  empty: 'There are no spaces yet. A space is what visitors enter.',
  nameOf: ({ title }) => title,
  may: rowRights,
  linkOf: ({ id }) => `/admin/editor/${id}`,
  rename: ({ rooms }, { id, updated_at }, title, stamp = updated_at) =>
    rooms.update({ params: { id }, body: { title, updated_at: stamp } }),
  filters: ['used'],
  place: 'folder',
  lead: ({ poster_url }) => <Poster url={poster_url} width={64} />,
  columns: [
    {
      id: 'used',
      label: 'Shown in',
      cell: ({ used_in }) => (used_in.length > 0 ? shownNames(used_in) : 'No structure'),
    },
    { id: 'edited', label: 'Edited', order: '-edited', cell: ({ edited_at }) => momentText(edited_at) },
    { id: 'editor', label: 'Edited by', cell: ({ edited_by }) => edited_by },
  ],
  removal: {
    text: ({ title, used_in }) =>
      `The space “${title}” will be removed. It stays in the bin for 30 days.${usedText(used_in)}`,
    question: removalText,
  },
};
