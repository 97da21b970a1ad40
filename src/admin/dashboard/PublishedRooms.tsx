import { Anchor, Badge, Button, Group, Table, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { makeAutoObservable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { Client } from '../../contract/client.ts';
import type { Endpoint } from '../../contract/entities.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { Empty, Failed, LoadingRows } from '../frame/states.tsx';

/** A published room with its URL and name. */
interface PublishedRoom {
  id: number;
  path: string;
  name: string;
  title: string;
  poster: string | null;
  isVisible: boolean;
  isProtected: boolean;
  /** Whether visitors can open it. */
  isOpen: boolean;
}

function published(endpoints: readonly Endpoint[], above = ''): PublishedRoom[] {
  return endpoints.flatMap((endpoint) => {
    const path = `${above}/${endpoint.slug}`;
    const own: PublishedRoom = {
      id: endpoint.id,
      path,
      name: endpoint.name,
      title: endpoint.room?.title ?? '',
      poster: endpoint.poster_url,
      isVisible: endpoint.is_visible,
      isProtected: endpoint.is_protected,
      isOpen: endpoint.room !== null && !endpoint.is_closed,
    };
    return [own, ...published(endpoint.children, path)];
  });
}

/** Public URLs of the organization. */
export class RoomsStore {
  readonly #client: Client;
  rooms: PublishedRoom[] = [];
  state: 'loading' | 'ready' | 'failed' = 'loading';

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  async load(): Promise<void> {
    this.state = 'loading';
    try {
      const endpoints = await this.#client.endpoints.list();
      runInAction(() => {
        this.rooms = published(endpoints);
        this.state = 'ready';
      });
    } catch {
      runInAction(() => (this.state = 'failed'));
    }
  }
}

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
