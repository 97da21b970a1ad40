import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Statistics } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { beginOf, durationText, ownZone } from '../statistics/ranges.ts';

const times = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** How a structure was visited in the last thirty days, in a sentence. Nothing where visits are not counted. */
export function RecentVisits({ id }: { id: number }) {
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
