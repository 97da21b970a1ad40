import { Anchor, Input, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { MediaUse, MediaUses as Uses } from '../../contract/entities.ts';
import { useClient } from '../client-context.ts';
import { showProblem } from '../notifications.ts';

const KINDS: Record<MediaUse['kind'], { label: string; path(id: number): string }> = {
  room: { label: 'Space', path: (id) => `/admin/editor/${id}` },
  published: { label: 'Published version of', path: (id) => `/admin/spaces/${id}` },
  template: { label: 'Template', path: (id) => `/admin/spaces/templates/${id}` },
  block: { label: 'Block', path: (id) => `/admin/spaces/blocks/${id}` },
  feed: { label: 'Feed', path: (id) => `/admin/settings/feed/${id}` },
  organization: { label: 'Settings of', path: () => '/admin/settings/branding' },
};

/** Maximum named elements of a space. */
const MAX_ELEMENTS = 5;

function elementsText(elements: MediaUse['elements']): string {
  const names = elements.slice(0, MAX_ELEMENTS).map(({ id, name }) => name || `element ${id}`);
  const more = elements.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Where a file is used, with links; read once. */
export function MediaUses({ id }: { id: number }) {
  const client = useClient();
  const [found, setFound] = useState<Uses | null>(null);
  useEffect(() => {
    let isCurrent = true;
    client.media.uses({ params: { id } }).then((uses) => isCurrent && setFound(uses), showProblem);
    return () => {
      isCurrent = false;
    };
  }, [client, id]);
  if (!found) return null;
  const { uses, hidden } = found;
  return (
    <Input.Wrapper label="Where used" labelElement="div">
      <Stack gap={2}>
        {uses.map(({ kind, id: used, name, elements }) => (
          <Text key={`${kind} ${used}`} size="sm">
            {KINDS[kind].label} {/* A new tab: the dialog may be open in an editor. */}
            <Anchor href={KINDS[kind].path(used)} target="_blank" size="sm">
              {name}
            </Anchor>
            {elements.length > 0 && (
              <Text span size="xs" c="dimmed">
                {' '}
                {elementsText(elements)}
              </Text>
            )}
          </Text>
        ))}
        {hidden > 0 && (
          <Text size="sm" c="dimmed">
            {hidden === 1 ? '1 place' : `${hidden} places`} that you have no access to
          </Text>
        )}
        {uses.length + hidden === 0 && (
          <Text size="sm" c="dimmed">
            Nowhere
          </Text>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
