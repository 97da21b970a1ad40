import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconBox, IconCopy, IconRoute, IconSettings, IconTemplate } from '@tabler/icons-react';
import { makeObservable, observableRef, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { z } from 'zod';
import { ROOM_ORDERS } from '../../contract/calls/rooms.ts';
import { calls } from '../../contract/calls.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminRoom, RoomRow } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { findTemplates } from '../../ui/find-templates.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showDone, showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import type { BulkAction } from '../frame/BulkBar.tsx';
import { type AskedEntry, ChooseDialog, chosenEntry } from '../frame/ChooseDialog.tsx';
import classes from '../frame/cards.module.css';
import { FilterSelect } from '../frame/FilterSelect.tsx';
import { FormScreen, useIdParam } from '../frame/FormScreen.tsx';
import { choice, words } from '../frame/fields.ts';
import { ListScreen } from '../frame/ListScreen.tsx';
import { PosterField } from '../frame/PosterField.tsx';
import { publishing } from '../frame/publish-many.tsx';
import { type Resource, rowRights } from '../frame/resource.ts';
import { useNewFromFiles } from '../frame/use-new-from-files.tsx';
import { AreaStore } from '../stores/area-store.ts';
import { runBulk } from '../stores/bulk.ts';
import { chosenOrder, countText } from '../stores/list-store.ts';
import { ShownIn } from './ShownIn.tsx';

/** Adds a space, or edits its title and template. */
export const SpaceScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const [store] = useState(() => new SpacesStore(session.client));
  const template = store.entry ? store.entry.template : store.usual;
  const mayKnow = session.may('settings', 'view_any') && session.may('templates', 'view_any');
  useEffect(() => {
    if (id === null && mayKnow) store.chooseDefault().catch(showProblem);
  }, [store, id, mayKnow]);
  return (
    <FormScreen
      of={SPACES}
      name={store.entry?.title}
      store={store}
      id={id}
      more={
        id !== null && (
          <Button
            component="a"
            href={`/admin/editor/${id}`}
            variant="light"
            leftSection={<IconBox size={16} aria-hidden />}
          >
            Open editor
          </Button>
        )
      }
      // Show the new space first.
      after={() => (id === null ? `${SPACES.path}?sort=-edited` : SPACES.path)}
    >
      <Stack>
        <TextInput label="Title" withAsterisk maxLength={255} data-autofocus {...words(store, 'title')} />
        <EntrySelect
          label="Template"
          description="The shell of the space: a grid, a 3D model or a 360° photo. Without one, it is an empty grid."
          placeholder={store.draft.template_id === undefined ? 'Organization default' : 'No template'}
          find={(search) => findTemplates(session, search)}
          chosen={template ? { id: template.id, name: template.name } : null}
          {...choice(store, 'template_id')}
        />
        {id !== null && session.may('endpoints', 'view_any') && <ShownIn roomId={id} />}
        {id !== null && <PosterField of="rooms" id={id} {...(store.entry && { changedAt: store.entry.updated_at })} />}
      </Stack>
    </FormScreen>
  );
});

/** Card of an entry: image, name and actions. */
function Card({
  name,
  to,
  poster,
  details,
  actions,
}: {
  name: string;
  /** Link target; none if the user may not edit the entry. */
  to?: string | undefined;
  poster: string | null;
  details: ReactNode;
  actions: ReactNode;
}) {
  const face = (
    <>
      <Poster url={poster} />
      <span className={classes.title}>{name}</span>
    </>
  );
  return (
    <li className={classes.card}>
      {to ? (
        <Link to={to} className={classes.face}>
          {face}
        </Link>
      ) : (
        <div className={classes.face}>{face}</div>
      )}
      <div className={classes.foot}>
        <div>{details}</div>
        <div className={classes.actions}>{actions}</div>
      </div>
    </li>
  );
}

/** Fields edited here; the editor edits the rest. */
interface SpaceDraft {
  title: string;
  /** Undefined for the organization's default. */
  template_id: number | null | undefined;
}

const { title } = calls.rooms.create.body.shape;

class SpacesStore extends AreaStore<RoomRow, AdminRoom, SpaceDraft> {
  readonly #client: Client;
  /** Default template; null if none or not loaded yet. */
  usual: { id: number; name: string } | null = null;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters = {} }) =>
        client.rooms.list({
          query: {
            search,
            page,
            sort: chosenOrder(ROOM_ORDERS, filters),
            used: (['0', '1'] as const).find((value) => value === filters.used),
          },
        }),
      read: (id) => client.rooms.read({ params: { id } }),
      create: (body) => client.rooms.create({ body }),
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
function shownNames(structures: readonly { name: string }[]): string {
  const names = structures.slice(0, MAX_NAMED_STRUCTURES).map(({ name }) => name);
  const more = structures.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const USES = [
  { value: '1', label: 'In a structure' },
  { value: '0', label: 'Not in a structure' },
];

/** Structures of a space and its last editor. */
const detailsOf = ({ used_in, edited_at, edited_by }: RoomRow) => (
  <span className={classes.details}>
    {used_in.length > 0 ? `In ${shownNames(used_in)}` : 'Not in a structure'} · edited {momentText(edited_at)}
    {edited_by && ` by ${edited_by}`}
  </span>
);

/** Describes the effect of removing spaces on structures. */
async function removalText(ids: readonly number[], client: Client): Promise<string> {
  const { structures } = await client.bulk.effects({ body: { action: 'rooms.remove', ids: [...ids] } });
  const loss =
    structures === 1 ? '1 structure loses its space.' : structures > 0 && `${structures} structures lose their space.`;
  return `${loss || 'No structure shows them.'} They stay in the bin for 30 days.`;
}

const SPACES: Resource<RoomRow> = {
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

/** Merges spaces into a tour: a plan first, then one change that can be undone. */
const mergeOf = (client: Client, reload: () => Promise<void>): BulkAction => ({
  label: 'Merge',
  icon: <IconRoute size={16} aria-hidden />,
  run: async (ids) => {
    const { mergeSpaces } = await import('./merge-spaces.ts');
    return mergeSpaces(client, ids, reload);
  },
});

export const SpacesScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() => new SpacesStore(client));
  const mayCreate = session.may('rooms', 'create');
  const fromFiles = useNewFromFiles();
  const copy = async ({ id, title }: RoomRow) => {
    const yes = await confirm({
      title: 'Are you sure you want to copy this space?',
      text: `A copy of “${title}” with all its elements will be added.`,
      action: 'Copy',
    });
    if (!yes) return;
    await client.rooms.copy({ params: { id } });
    await store.load();
  };
  const [asked, setAsked] = useState<AskedEntry | null>(null);
  const settingTemplate: BulkAction = {
    label: 'Set the template of',
    icon: <IconTemplate size={16} aria-hidden />,
    run: async (ids, onProgress) => {
      const template_id = await chosenEntry(setAsked, {
        title: `Set the template of ${countText(ids.length, 'spaces')}`,
        label: 'Template',
        placeholder: 'No template',
        action: 'Set',
        find: (search) => findTemplates(session, search),
      });
      if (template_id === undefined) return null;
      const job = { action: 'rooms.template', fields: { template_id }, onProgress } as const;
      const { changed, problems } = await runBulk(client, ids, job);
      await store.load();
      if (changed.length > 0) showDone(`${countText(changed.length, 'spaces')} changed.`);
      return problems;
    },
  };
  return (
    <>
      {asked && <ChooseDialog asked={asked} />}
      <ListScreen
        of={SPACES}
        store={store}
        otherAdds={fromFiles}
        bulkActions={[
          ...(mayCreate ? [mergeOf(client, () => store.load())] : []),
          ...(session.may('rooms', 'update') ? [publishing(client, () => store.load()), settingTemplate] : []),
        ]}
        filters={
          <Group>
            <FilterSelect name="used" aria-label="Use" placeholder="All spaces" data={USES} />
          </Group>
        }
        actions={(room, to) => [
          mayCreate && {
            label: 'Copy',
            icon: <IconCopy size={18} />,
            onClick: () => void copy(room).catch(showProblem),
          },
          to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to: `${SPACES.path}/${room.id}` },
          to !== undefined && { label: 'Edit', icon: <IconBox size={18} />, to },
        ]}
        card={(room, to, actions) => (
          <Card
            key={room.id}
            poster={room.poster_url}
            name={room.title}
            to={to}
            details={detailsOf(room)}
            actions={actions}
          />
        )}
      />
    </>
  );
});
