import { Anchor, Badge, Button, CopyButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBox, IconChartBar, IconCheck, IconCopy, IconExternalLink, IconQrcode } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Endpoint, Statistics } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { here } from '../../ui/zone-time.ts';
import { beginOf, durationText, ownZone } from '../statistics/ranges.ts';
import { OldAddresses } from './OldAddresses.tsx';
import { structureState } from './structure-state.ts';
import type { StructuresStore } from './structures-store.ts';

const times = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

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
    times(totals.visits, 'visit', 'visits'),
    times(totals.visitors, 'visitor', 'visitors'),
    totals.visits > 0 && `${durationText(totals.seconds / totals.visits)} per visit`,
    live > 0 && `${live.toLocaleString()} now`,
  ];
  return (
    <Text size="sm" c="dimmed" aria-label="Visits">
      In 30 days: {parts.filter(Boolean).join(', ')}
    </Text>
  );
}

const QrDialog = lazy(async () => ({ default: (await import('../frame/QrDialog.tsx')).QrDialog }));

/** Public URL of a structure, its state, and links to share it. */
export const AddressCard = observer(({ endpoint, store }: { endpoint: Endpoint; store: StructuresStore }) => {
  const session = useSession();
  const [isQrShown, { open, close }] = useDisclosure();
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
          {!is_visible && (
            <Badge color="gray" variant="light" tt="none">
              Hidden
            </Badge>
          )}
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
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={copy}
                leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              >
                {copied ? 'Copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={open} leftSection={<IconQrcode size={16} aria-hidden />}>
            QR code
          </Button>
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
      {isQrShown && (
        <Suspense>
          <QrDialog address={address} name={slug} onClose={close} />
        </Suspense>
      )}
    </Paper>
  );
});
