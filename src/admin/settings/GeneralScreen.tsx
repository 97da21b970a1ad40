import { Button, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { Organization } from '../../contract/entities.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { findTemplates } from '../../ui/find-templates.ts';
import { say } from '../../ui/language/say.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { OWN_ZONE, ZoneSelect } from '../../ui/ZoneSelect.tsx';
import { choice, flag, words } from '../frame/fields.ts';
import { createOrganizationStore, SettingsForm } from './SettingsForm.tsx';

const generalDraftOf = (organization: Organization | null) => ({
  name: organization?.name ?? '',
  meta_title: organization?.meta_title ?? '',
  meta_description: organization?.meta_description ?? '',
  lists_rooms: organization?.lists_rooms ?? false,
  template_id: organization?.template_id ?? null,
  time_zone: organization?.time_zone ?? null,
});

const { meta_title, meta_description } = calls.organizations.update.body.shape;
const schema = calls.organizations.update.body.pick({ name: true, meta_title: true, meta_description: true }).loose();

/** Name, search engine metadata, and defaults for new spaces. */
export const GeneralScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() =>
    createOrganizationStore(client, {
      draftOf: generalDraftOf,
      bodyOf: (draft) => draft,
      schema,
      onSaved: (organization) => session.updateOrganization(organization),
    }),
  );
  const { draft, errors, entry } = store;
  const [template, setTemplate] = useState<{ id: number; name: string } | null>(null);
  const templateId = entry?.template_id ?? null;
  const maySeeTemplates = session.may('templates', 'view_any');
  useEffect(() => {
    if (templateId === null || !maySeeTemplates) return;
    // If the name can't be loaded, the select shows the id.
    client.templates.read({ params: { id: templateId } }).then(setTemplate, () => undefined);
  }, [client, templateId, maySeeTemplates]);
  return (
    <SettingsForm title="General settings" store={store}>
      <Stack>
        <TextInput label="Organization name" withAsterisk maxLength={255} {...words(store, 'name')} />
        <TextInput
          label="Meta title"
          description={say(meta_title.description ?? '')}
          maxLength={255}
          {...words(store, 'meta_title')}
        />
        <Textarea
          label="Meta description"
          description={say(meta_description.description ?? '')}
          autosize
          minRows={2}
          maxLength={1000}
          {...words(store, 'meta_description')}
        />
        <Switch
          label="List rooms in search engines"
          description="Adds all open rooms to the sitemap, with their images and credit lines. Otherwise only the front page is listed. Protected rooms, and rooms whose countdown is running, are never listed."
          {...flag(store, 'lists_rooms')}
        />
        <EntrySelect
          label="Default template"
          placeholder="No template"
          find={(search) => findTemplates(session, search)}
          chosen={template ?? (templateId === null ? null : { id: templateId, name: `Template ${templateId}` })}
          {...choice(store, 'template_id')}
        />
        <ZoneSelect
          description="For new start times and visibility windows. The first one chosen also applies to existing times that match its UTC offset."
          placeholder="None"
          maw={420}
          value={draft.time_zone}
          error={errors.time_zone?.[0]}
          onChange={(time_zone) => store.set({ time_zone })}
        />
        {draft.time_zone === null && (
          <Button variant="default" w="fit-content" onClick={() => store.set({ time_zone: OWN_ZONE })}>
            Use {OWN_ZONE}
          </Button>
        )}
      </Stack>
    </SettingsForm>
  );
});
