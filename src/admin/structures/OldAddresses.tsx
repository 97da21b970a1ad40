import { CloseButton, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Endpoint } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';

/** Former URLs that redirect to the structure; each can be removed. */
export function OldAddresses({ endpoint: { id, path, updated_at, policies } }: { endpoint: Endpoint }) {
  const { client } = useSession();
  const [addresses, setAddresses] = useState<{ path: string; at: string }[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: saving can change the address.
  useEffect(() => {
    let isCurrent = true;
    client.endpoints.addresses({ params: { id } }).then((found) => isCurrent && setAddresses(found), showProblem);
    return () => {
      isCurrent = false;
    };
  }, [client, id, path, updated_at]);
  if (addresses.length === 0) return null;
  const remove = async (old: string) => {
    try {
      await client.endpoints.removeAddress({ params: { id }, body: { path: old } });
      setAddresses(addresses.filter((other) => other.path !== old));
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <Stack gap={4} role="group" aria-label="Old addresses">
      <Text size="sm" fw={500}>
        Old addresses
      </Text>
      {addresses.map(({ path: old, at }) => (
        <Group key={old} gap="xs" wrap="nowrap">
          <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {old}
          </Text>
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            until {momentText(at)}
          </Text>
          {policies.update && (
            <CloseButton size="sm" aria-label={`Remove: ${old}`} title="Remove" onClick={() => void remove(old)} />
          )}
        </Group>
      ))}
    </Stack>
  );
}
