import { Button, Stack, TextInput } from '@mantine/core';
import { IconBox } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { findTemplates } from '../../ui/find-templates.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FormScreen, useIdParam } from '../frame/FormScreen.tsx';
import { choice, words } from '../frame/fields.ts';
import { PosterField } from '../frame/PosterField.tsx';
import { Proposals } from './Proposals.tsx';
import { ShownIn } from './ShownIn.tsx';
import { SPACES, SpacesStore } from './spaces.tsx';

/** Adds a space, or edits its title and template. */
export const SpaceScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const folder = Number(useSearchParams()[0].get('folder')) || null;
  const [store] = useState(() => new SpacesStore(session.client, { folder }));
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
        {id !== null && <Proposals roomId={id} />}
        {id !== null && <PosterField of="rooms" id={id} {...(store.entry && { changedAt: store.entry.updated_at })} />}
      </Stack>
    </FormScreen>
  );
});
