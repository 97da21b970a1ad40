import { Badge } from '@mantine/core';
import { IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { AdminTemplate } from '../../contract/entities.ts';
import { thumbnailOf } from '../../ui/media/media-kinds.ts';
import { showProblemText } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { confirmRemoval } from '../frame/confirm-removal.ts';
import { ListRow } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { RowActions } from '../frame/RowActions.tsx';
import { MODEL_TYPES } from './model-types.ts';
import { createTemplatesStore } from './templates-store.ts';

/** Spaces that are named one by one. */
const MAX_NAMED_SPACES = 3;

/** Why a template can't be removed, and what to do. */
function inUse(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED_SPACES).join(', ');
  const more = names.length - MAX_NAMED_SPACES;
  return `This template is in use by ${shown}${more > 0 ? ` and ${more} more` : ''}. Give ${names.length === 1 ? 'that space' : 'those spaces'} another template first.`;
}

/** The list of templates. */
export const TemplatesScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => createTemplatesStore(session.client));
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
          ? { nameOf: ({ name }) => name, remove: (ids) => store.removeMany(ids) }
          : undefined
      }
      row={(template, check) => {
        const { id, name, model_type, file, poster_url, policies } = template;
        // Until it is drawn, a 360° photo shows what it is.
        const photo = model_type === 'pano' && file ? thumbnailOf(file.url, 64).src : null;
        return (
          <ListRow
            key={id}
            lead={
              <>
                {check}
                <Poster url={poster_url ?? photo} width={64} />
              </>
            }
            name={name}
            to={policies.update ? `/admin/spaces/templates/${id}` : undefined}
            details={
              <Badge variant="light" color="gray">
                {MODEL_TYPES[model_type]}
              </Badge>
            }
            actions={
              <RowActions
                name={name}
                items={[
                  policies.update && {
                    label: 'Settings',
                    icon: <IconSettings size={18} />,
                    to: `/admin/spaces/templates/${id}`,
                  },
                  policies.delete && {
                    label: 'Remove',
                    icon: <IconTrash size={18} />,
                    destroys: true,
                    onClick: () => void remove(template),
                  },
                ]}
              />
            }
          />
        );
      }}
    />
  );
});
