import { Alert, Anchor, Badge, Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import type { SessionStore } from '../session-store.ts';
import { type PublishedRoom, RoomsStore } from './rooms-store.ts';

const Row = ({ room }: { room: PublishedRoom }) => (
  <Table.Tr>
    <Table.Td>
      <Anchor href={room.path} target="_blank" rel="noopener">
        {room.name} <IconExternalLink size={14} aria-label="opens in a new tab" />
      </Anchor>
    </Table.Td>
    <Table.Td>{room.title}</Table.Td>
    <Table.Td>
      <Text span size="sm" ff="monospace">
        {room.path}
      </Text>
    </Table.Td>
    <Table.Td>
      <Group gap={4}>
        {!room.isVisible && <Badge color="gray">Hidden</Badge>}
        {room.isProtected && <Badge>Protected</Badge>}
        {room.isVisible && !room.isProtected && <Badge color="teal">Public</Badge>}
      </Group>
    </Table.Td>
  </Table.Tr>
);

const Rooms = observer(({ store }: { store: RoomsStore }) => {
  if (store.state === 'loading') return <Skeleton height={200} aria-label="Loading" />;
  if (store.state === 'failed')
    return (
      <Alert color="red" title="The rooms could not be loaded">
        <Button variant="light" onClick={() => void store.load()}>
          Try again
        </Button>
      </Alert>
    );
  if (store.rooms.length === 0)
    return <Text>No room has a public address yet. Add a structure through the API, described at /api/docs.</Text>;
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Structure</Table.Th>
            <Table.Th>Space</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th>State</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {store.rooms.map((room) => (
            <Row key={room.id} room={room} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
});

/** What is published, at a glance. */
export const DashboardScreen = observer(({ session }: { session: SessionStore }) => {
  const [store] = useState(() => new RoomsStore(session.client));
  const mayView = session.user?.policies.endpoints.view_any === true;
  useEffect(() => {
    if (mayView) void store.load();
  }, [mayView, store]);
  return (
    <Stack>
      <Title order={1} size="h2">
        Dashboard
      </Title>
      {mayView ? <Rooms store={store} /> : <Text>Ask an administrator for the right to see structures.</Text>}
    </Stack>
  );
});
