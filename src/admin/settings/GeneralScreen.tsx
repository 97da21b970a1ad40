import { Button, ColorInput, Stack, Textarea, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { Organization } from '../../contract/entities.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { findTemplates } from '../../ui/find-templates.ts';
import { MediaField, type ShownFile } from '../../ui/media/MediaField.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { OWN_ZONE, ZoneSelect } from '../../ui/ZoneSelect.tsx';
import { choice, words } from '../frame/fields.ts';
import { createOrganizationStore, SettingsForm } from './SettingsForm.tsx';

const generalDraftOf = (organization: Organization | null) => ({
  name: organization?.name ?? '',
  meta_title: organization?.meta_title ?? '',
  meta_description: organization?.meta_description ?? '',
  template_id: organization?.template_id ?? null,
  font_file_id: organization?.font_file_id ?? null,
  font_file: (organization?.font_file ?? null) as ShownFile | null,
  font_color: organization?.font_color ?? null,
  logo_file_id: organization?.logo_file_id ?? null,
  logo_file: (organization?.logo_file ?? null) as ShownFile | null,
  accent_color: organization?.accent_color ?? null,
  time_zone: organization?.time_zone ?? null,
});

const { meta_title, meta_description } = calls.organizations.update.body.shape;
const schema = calls.organizations.update.body
  .pick({ name: true, meta_title: true, meta_description: true, font_color: true, accent_color: true })
  .loose();

/** Name, search engine metadata, and defaults for new spaces. */
export const GeneralScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() =>
    createOrganizationStore(client, {
      draftOf: generalDraftOf,
      bodyOf: ({ font_file: _font, logo_file: _logo, ...body }) => body,
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
          description={meta_title.description}
          maxLength={255}
          {...words(store, 'meta_title')}
        />
        <Textarea
          label="Meta description"
          description={meta_description.description}
          autosize
          minRows={2}
          maxLength={1000}
          {...words(store, 'meta_description')}
        />
        <EntrySelect
          label="Default template"
          placeholder="No template"
          find={(search) => findTemplates(session, search)}
          chosen={template ?? (templateId === null ? null : { id: templateId, name: `Template ${templateId}` })}
          {...choice(store, 'template_id')}
        />
        <MediaField
          label="Logo"
          description="Shown over rooms and entry forms. A template can override it."
          accept={['image']}
          file={draft.logo_file}
          error={errors.logo_file_id?.[0]}
          onChange={(file) => store.set({ logo_file: file, logo_file_id: file?.id ?? null })}
        />
        <ColorInput
          fixOnBlur={false}
          label="Accent color"
          description="For buttons and marks on visitors’ pages, HEX such as #1F7A78. Dark colors are lightened so that text on them stays legible."
          placeholder="Brass"
          format="hex"
          maw={240}
          value={draft.accent_color ?? ''}
          error={errors.accent_color?.[0]}
          onChange={(color) => store.set({ accent_color: color || null })}
        />
        <MediaField
          label="Default font"
          description="For 3D text: TTF, OTF, WOFF or typeface JSON."
          accept={['font']}
          file={draft.font_file}
          error={errors.font_file_id?.[0]}
          onChange={(file) => store.set({ font_file: file, font_file_id: file?.id ?? null })}
        />
        <ColorInput
          fixOnBlur={false}
          label="Default font color"
          description="For text over rooms, HEX such as #FF0000. A template can override it."
          placeholder="Light on dark"
          format="hex"
          eyeDropperButtonProps={{ 'aria-label': 'Pick a color from the screen' }}
          maw={240}
          value={draft.font_color ?? ''}
          error={errors.font_color?.[0]}
          onChange={(color) => store.set({ font_color: color || null })}
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
