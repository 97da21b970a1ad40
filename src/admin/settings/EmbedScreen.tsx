import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { z } from 'zod';
import { calls } from '../../contract/calls.ts';
import type { Organization } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { moved, SortableList } from '../../ui/sortable/SortableList.tsx';
import { createOrganizationStore, SettingsForm } from './SettingsForm.tsx';

/** Editable list of sites, with an empty last row. */
interface EmbedDraft {
  embed_domains: { domain: string }[];
}

const embedDraftOf = (organization: Organization | null): EmbedDraft => {
  const sites = organization?.embed_domains.map(({ domain }) => ({ domain })) ?? [];
  return { embed_domains: sites.length > 0 ? sites : [{ domain: '' }] };
};

const embedBodyOf = ({ embed_domains }: EmbedDraft) => ({
  embed_domains: embed_domains.filter(({ domain }) => domain.trim() !== ''),
});

const schema = z.object({ embed_domains: calls.organizations.update.body.shape.embed_domains });

/** Sites that may embed rooms. */
export const EmbedScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() =>
    createOrganizationStore(session.client, { draftOf: embedDraftOf, bodyOf: embedBodyOf, schema }),
  );
  const { embed_domains: sites } = store.draft;
  const set = (next: EmbedDraft['embed_domains']) => store.set({ embed_domains: next });
  return (
    <SettingsForm title="Embed settings" store={store}>
      <Stack>
        <Text>
          Add the domains that may embed your rooms, including the scheme (http:// or https://) and both the www and
          non-www variants. Wildcards are not allowed.
        </Text>
        <SortableList
          label="Domains"
          items={sites}
          nameOf={({ domain }, index) => domain || `row ${index + 1}`}
          onMove={(from, to) => set(moved(sites, from, to))}
        >
          {({ domain }, index) => (
            <Group align="start" wrap="nowrap">
              <TextInput
                type="url"
                aria-label={`Domain ${index + 1}`}
                placeholder="https://www.example.com"
                flex={1}
                maxLength={270}
                value={domain}
                error={store.errors[`embed_domains.${index}.domain`]?.[0]}
                onChange={(event) => set(sites.with(index, { domain: event.currentTarget.value }))}
              />
              {index === sites.length - 1 ? (
                <ActionIcon
                  variant="light"
                  size={36}
                  aria-label="Add a domain"
                  onClick={() => set([...sites, { domain: '' }])}
                >
                  <IconPlus size={18} />
                </ActionIcon>
              ) : (
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size={36}
                  aria-label={`Remove domain ${index + 1}`}
                  onClick={() => set(sites.filter((_, other) => other !== index))}
                >
                  <IconTrash size={18} />
                </ActionIcon>
              )}
            </Group>
          )}
        </SortableList>
      </Stack>
    </SettingsForm>
  );
});
