import { Badge } from '@mantine/core';
import { IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { AdminTemplate } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { confirmRemoval } from '../frame/confirm-removal.ts';
import { ListRow, RowAction } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { MODEL_TYPES } from './model-types.ts';
import { createTemplatesStore } from './templates-store.ts';

/** The list of templates. */
export const TemplatesScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => createTemplatesStore(session.client));
  const remove = async ({ id }: AdminTemplate) => {
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
      row={(template) => {
        const { id, name, model_type, policies } = template;
        return (
          <ListRow
            key={id}
            name={name}
            to={policies.update ? `/admin/spaces/templates/${id}` : undefined}
            details={
              <Badge variant="light" color="gray">
                {MODEL_TYPES[model_type]}
              </Badge>
            }
            actions={
              <>
                {policies.update && (
                  <RowAction
                    label={`Settings: ${name}`}
                    icon={<IconSettings size={18} />}
                    to={`/admin/spaces/templates/${id}`}
                  />
                )}
                {policies.delete && (
                  <RowAction
                    label={`Remove: ${name}`}
                    icon={<IconTrash size={18} />}
                    destroys
                    onClick={() => void remove(template)}
                  />
                )}
              </>
            }
          />
        );
      }}
    />
  );
});
