import { Badge } from '@mantine/core';
import { IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { AdminTemplate } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblemText } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { removesMany } from '../frame/BulkBar.tsx';
import type { Column } from '../frame/columns.ts';
import { confirmRemoval } from '../frame/confirm-removal.ts';
import { RowActions } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { NameField, renameAction, useRenaming } from '../frame/renaming.tsx';
import { MODEL_TYPES, photoOf } from './model-types.ts';
import { createTemplatesStore } from './templates-store.ts';

/** Maximum spaces named. */
const MAX_NAMED_SPACES = 3;

const namesOf = (names: readonly string[]): string => {
  const more = names.length - MAX_NAMED_SPACES;
  return `${names.slice(0, MAX_NAMED_SPACES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Why a template can't be removed, and what to do. */
function inUse(names: readonly string[]): string {
  return `This template is in use by ${namesOf(names)}. Give ${names.length === 1 ? 'that space' : 'those spaces'} another template first.`;
}

const COLUMNS: readonly Column<AdminTemplate>[] = [
  {
    id: 'kind',
    label: 'Kind',
    cell: ({ model_type }) => (
      <Badge variant="light" color="gray">
        {MODEL_TYPES[model_type]}
      </Badge>
    ),
  },
  { id: 'used', label: 'Used in', cell: ({ used_in }) => namesOf(used_in.map(({ name }) => name)) },
  {
    id: 'edited',
    label: 'Edited',
    order: { name: 'edited', begins: 'descending' },
    cell: ({ updated_at }) => momentText(updated_at),
  },
  { id: 'editor', label: 'Edited by', cell: ({ edited_by }) => edited_by },
];

/** The list of templates. */
export const TemplatesScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => createTemplatesStore(session.client));
  const renaming = useRenaming<AdminTemplate>({
    nameOf: ({ name }) => name,
    may: ({ policies }) => policies.update,
    rename: (id, name, updated_at) => session.client.templates.update({ params: { id }, body: { name, updated_at } }),
    load: () => store.load(),
  });
  const remove = async ({ id, used_in }: AdminTemplate) => {
    if (used_in.length > 0) return showProblemText(inUse(used_in.map(({ name }) => name)));
    await confirmRemoval(
      {
        title: 'Are you sure you want to remove this template?',
        text: 'The template will be removed. This cannot be undone.',
      },
      () => store.remove(id),
    );
  };
  return (
    <ListScreen
      title="Templates"
      things="templates"
      store={store}
      allowed={session.may('templates', 'view_any')}
      add={session.may('templates', 'create') ? '/admin/spaces/templates/add' : undefined}
      empty="There are no templates yet. A template is the shell of spaces: a grid, a 3D model or a 360° photo."
      bulk={
        session.may('templates', 'delete')
          ? {
              nameOf: ({ name }) => name,
              actions: [removesMany((ids, onProgress) => store.removeMany(ids, onProgress))],
            }
          : undefined
      }
      table={{
        order: { name: 'name', begins: 'ascending' },
        columns: COLUMNS,
        entry: (template, check) => {
          const { id, name, poster_url, policies } = template;
          const to = policies.update ? `/admin/spaces/templates/${id}` : undefined;
          return {
            lead: (
              <>
                {check}
                <Poster url={poster_url ?? photoOf(template, 64)} width={64} />
              </>
            ),
            name,
            field: renaming.has(template) && <NameField row={template} renaming={renaming} />,
            to,
            actions: (
              <RowActions
                name={name}
                items={[
                  renameAction(renaming, template),
                  to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
                  policies.delete && {
                    label: 'Remove',
                    icon: <IconTrash size={18} />,
                    destroys: true,
                    onClick: () => void remove(template),
                  },
                ]}
              />
            ),
          };
        },
      }}
    />
  );
});
