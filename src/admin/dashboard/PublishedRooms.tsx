import { Anchor, Badge, Button, Group, Table, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { Empty, Failed, LoadingRows } from '../frame/states.tsx';
import type { PublishedRoom, RoomsStore } from './rooms-store.ts';

/** Maximum rows; the structures screen lists all. */
const MAX_PUBLISHED = 20;

const PublishedRow = ({ room, address }: { room: PublishedRoom; address: string }) => (
  <Table.Tr>
    <Table.Td>
      <Group gap="sm" wrap="nowrap">
        <Poster url={room.poster} width={64} />
        <Anchor href={address} target="_blank" rel="noopener">
          {room.name} <IconExternalLink size={14} aria-label="opens in a new tab" />
        </Anchor>
      </Group>
    </Table.Td>
    <Table.Td>{room.title}</Table.Td>
    <Table.Td>
      <Text span size="sm" ff="monospace">
        {room.path}
      </Text>
    </Table.Td>
    <Table.Td>
      <Group gap={4}>
        {!room.isOpen && (
          <Badge color="red" variant="light" tt="none">
            {room.title ? 'Not published' : 'No space'}
          </Badge>
        )}
        {!room.isVisible && (
          <Badge color="gray" variant="light" tt="none">
            Hidden
          </Badge>
        )}
        {room.isProtected && (
          <Badge variant="light" tt="none">
            Protected
          </Badge>
        )}
      </Group>
    </Table.Td>
  </Table.Tr>
);

/** Structures with a public address. */
export const PublishedRooms = observer(({ store, mayAdd }: { store: RoomsStore; mayAdd: boolean }) => {
  const session = useSession();
  useEffect(() => {
    void store.load();
  }, [store]);
  if (store.state === 'loading') return <LoadingRows count={4} />;
  if (store.state === 'failed')
    return <Failed what="The rooms could not be loaded" onRetry={() => void store.load()} />;
  if (store.rooms.length === 0)
    return (
      <Empty text="No space has a public address yet. A structure gives it one.">
        {mayAdd && (
          <Button component={Link} to="/admin/structures/add" variant="light">
            Add a structure
          </Button>
        )}
      </Empty>
    );
  return (
    <>
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
            {store.rooms.slice(0, MAX_PUBLISHED).map((room) => (
              <PublishedRow key={room.id} room={room} address={session.addressOf(room.path)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {store.rooms.length > MAX_PUBLISHED && (
        <Anchor component={Link} to="/admin/structures" size="sm">
          All {store.rooms.length} structures
        </Anchor>
      )}
    </>
  );
});
