import { Anchor, Button, CloseButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconBox, IconChartBar, IconExternalLink } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Endpoint, Statistics } from '../../contract/entities.ts';
import { numberText } from '../../ui/language/say.ts';
import { dateText, momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { here, type Place, timeText } from '../../ui/zone-time.ts';
import { CopyValue } from '../frame/CopyValue.tsx';
import { QrButton } from '../frame/QrButton.tsx';
import { Quiet, Tag } from '../frame/text.tsx';
import { beginOf, durationText, ownZone } from '../statistics/ranges.ts';
import { countText } from '../stores/list-store.ts';
import type { StructuresStore } from './structures-store.ts';

/** Fields that describe a structure's state. */
type StateFields = Pick<
  Endpoint,
  | 'is_visible'
  | 'is_timed'
  | 'show_countdown'
  | 'start_date'
  | 'start_time'
  | 'start_time_utc_offset'
  | 'time_zone'
  | 'is_protected'
  | 'is_closed'
  | 'access_tokens_count'
  | 'room_id'
>;

/**
 * Describes a structure's state in one sentence.
 * @param used number of used access tokens; null if unknown
 */
function structureState(endpoint: StateFields, used: number | null, here: Place): string {
  const { is_visible, is_timed, show_countdown, start_date, start_time, is_protected } = endpoint;
  const clock = { zone: endpoint.time_zone, offset: endpoint.start_time_utc_offset };
  const parts = [is_visible ? 'Visible' : 'Hidden'];
  if (endpoint.room_id === null) parts.push('shows no space');
  if (endpoint.is_closed) parts.push('closed until its space is published');
  if (start_time !== null && (show_countdown || is_timed))
    parts.push(
      `${show_countdown ? 'opens' : 'starts'} ${start_date ? `on ${dateText(start_date)}` : 'daily'} at ${timeText(start_time, clock, here)}`,
    );
  if (!is_protected) parts.push('open to everyone');
  else if (endpoint.access_tokens_count === 0) parts.push('protected without access tokens: nobody can enter yet');
  else {
    parts.push(countText(endpoint.access_tokens_count, 'access tokens'));
    if (used !== null) parts.push(`${numberText(used)} used`);
  }
  return `${parts.join(', ')}.`;
}

/** Former URLs that redirect to the structure; each can be removed. */
function OldAddresses({ endpoint: { id, path, updated_at, policies } }: { endpoint: Endpoint }) {
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

/** Visits of the last 30 days; nothing if statistics are off. */
function RecentVisits({ id }: { id: number }) {
  const { client } = useSession();
  const [figures, setFigures] = useState<Statistics | null>(null);
  useEffect(() => {
    let isWanted = true;
    const query = { from: beginOf('month'), endpoint_id: id, zone: ownZone() };
    client.statistics.read({ query }).then(
      (read) => isWanted && setFigures(read),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [client, id]);
  if (!figures?.is_counting) return null;
  const { totals, live } = figures;
  const parts = [
    countText(totals.visits, 'visits'),
    countText(totals.visitors, 'visitors'),
    totals.visits > 0 && `${durationText(totals.seconds / totals.visits)} per visit`,
    live > 0 && `${numberText(live)} now`,
  ];
  return <Quiet aria-label="Visits">In 30 days: {parts.filter(Boolean).join(', ')}</Quiet>;
}

/** Public URL of a structure, its state, and links to share it. */
export const AddressCard = observer(({ endpoint, store }: { endpoint: Endpoint; store: StructuresStore }) => {
  const session = useSession();
  const { id, path, slug, room, is_visible } = endpoint;
  const mayCount = endpoint.is_protected && session.may('access_tokens', 'view_any');
  useEffect(() => {
    if (mayCount) void store.countUsed(id);
  }, [store, id, mayCount]);
  const address = session.addressOf(path);
  return (
    <Paper withBorder p="lg" component="section" aria-label="Public address">
      <Stack gap="sm">
        <Group gap="sm" wrap="wrap">
          <Anchor href={address} target="_blank" rel="noopener" fw={600} size="lg" style={{ overflowWrap: 'anywhere' }}>
            {address}
          </Anchor>
          {!is_visible && <Tag color="gray">Hidden</Tag>}
        </Group>
        <Text size="sm" aria-label="State">
          {structureState(endpoint, mayCount ? store.used : null, here())}
        </Text>
        <Group gap="xs">
          <Button
            component="a"
            href={address}
            target="_blank"
            rel="noopener"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            Visit
          </Button>
          <CopyValue value={address} label="Copy link" />
          <QrButton address={address} name={slug} />
          {session.may('endpoints', 'view_any') && (
            <Button
              component={Link}
              to={`/admin/statistics?range=month&structure=${id}`}
              variant="default"
              leftSection={<IconChartBar size={16} aria-hidden />}
            >
              Statistics
            </Button>
          )}
          {room?.policies.update && (
            <Button
              component="a"
              href={`/admin/editor/${room.id}`}
              variant="default"
              leftSection={<IconBox size={16} aria-hidden />}
            >
              Open editor
            </Button>
          )}
        </Group>
        {session.may('endpoints', 'view_any') && <RecentVisits id={id} />}
        <OldAddresses endpoint={endpoint} />
      </Stack>
    </Paper>
  );
});
