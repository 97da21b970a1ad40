import {
  Alert,
  Anchor,
  Badge,
  Button,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { makeAutoObservable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Client } from '../../contract/client.ts';
import type { Statistics, StatisticsGroup, StatisticsRow } from '../../contract/entities.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { numberText } from '../../ui/language/say.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { findEndpoints } from '../access-tokens/access-tokens-store.ts';
import { useAddressFilter } from '../frame/FilterSelect.tsx';
import { useLoaded } from '../frame/Loaded.tsx';
import { Failed, LoadingRows, Screen } from '../frame/Screen.tsx';
import { saveCsv } from '../frame/save-csv.ts';
import { Quiet } from '../frame/text.tsx';
import { FigureCard, GroupCard } from './FigureCard.tsx';
import { beginOf, durationText, isRange, ownZone, RANGES, type RangeName, stepText } from './ranges.ts';

/** The selection. */
interface Looked {
  range: RangeName;
  /** Structure id; null for all. */
  endpointId: number | null;
}

/** Statistics of a range. */
class StatisticsStore {
  readonly #client: Client;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  figures: Statistics | null = null;
  groups = new Map<StatisticsGroup, StatisticsRow[]>();
  /** Sequence number of the latest request, to drop stale responses. */
  #asked = 0;

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  #queryOf({ range, endpointId }: Looked) {
    return { from: beginOf(range), ...(endpointId !== null && { endpoint_id: endpointId }) };
  }

  async load(looked: Looked, groups: readonly StatisticsGroup[]): Promise<void> {
    const number = ++this.#asked;
    const { statistics } = this.#client;
    const query = this.#queryOf(looked);
    this.state = 'loading';
    try {
      const { interval } = RANGES[looked.range];
      const [figures, ...lists] = await Promise.all([
        statistics.read({ query: { ...query, interval, zone: ownZone() } }),
        ...groups.map((by) => statistics.list({ query: { ...query, by } })),
      ]);
      runInAction(() => {
        if (number !== this.#asked) return;
        this.figures = figures;
        this.groups = new Map(groups.map((by, index) => [by, lists[index]!]));
        this.state = 'ready';
      });
    } catch {
      runInAction(() => {
        if (number === this.#asked) this.state = 'failed';
      });
    }
  }

  /** Exports a group as CSV. */
  export(looked: Looked, by: StatisticsGroup): Promise<string> {
    return this.#client.statistics.export({ query: { ...this.#queryOf(looked), by } });
  }

  /** Exports visitor positions of a structure as CSV. */
  exportPlaces(endpointId: number): Promise<string> {
    return this.#client.statistics.exportPoses({ query: { endpoint_id: endpointId } });
  }
}

const TimePlot = lazy(async () => ({ default: (await import('./Plot.tsx')).TimePlot }));

/** Groupings for all structures, and for one. */
const ALWAYS: readonly StatisticsGroup[] = ['element', 'view_point', 'opened', 'way', 'device', 'site', 'language'];

/** A labeled figure. */
function Figure({ name, value }: { name: string; value: string }) {
  return (
    <Paper withBorder p="md">
      <Quiet>{name}</Quiet>
      <Text fz={24} fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
    </Paper>
  );
}

function TimeTable({ figures }: { figures: Statistics }) {
  return (
    <Table.ScrollContainer minWidth={320} mah={260}>
      <Table stickyHeader aria-label="Visits over time">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            <Table.Th ta="right">Visits</Table.Th>
            <Table.Th ta="right">Visitors</Table.Th>
            <Table.Th ta="right">Time</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {figures.points.map(({ at, visits, visitors, seconds }) => (
            <Table.Tr key={at}>
              <Table.Td>{stepText(at, figures.interval)}</Table.Td>
              <Table.Td ta="right">{numberText(visits)}</Table.Td>
              <Table.Td ta="right">{numberText(visitors)}</Table.Td>
              <Table.Td ta="right">{durationText(seconds)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** All figures for the selection. */
const Figures = observer(
  ({ store, looked, groups }: { store: StatisticsStore; looked: Looked; groups: readonly StatisticsGroup[] }) => {
    const { figures } = store;
    if (!figures) return null;
    const { totals, live, first_uses, check_ins } = figures;
    const perVisit = totals.visits > 0 ? durationText(totals.seconds / totals.visits) : '–';
    return (
      <Stack gap="md" aria-busy={store.state === 'loading'}>
        {!figures.is_counting && (
          <Alert icon={<IconInfoCircle aria-hidden />} color="gray" title="Visits are not counted">
            Turn this on under{' '}
            <Anchor component={Link} to="/admin/settings/privacy" underline="always">
              Settings, Privacy
            </Anchor>
            .
          </Alert>
        )}
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
          <Figure name="Now" value={numberText(live)} />
          <Figure name="Visits" value={numberText(totals.visits)} />
          <Figure name="Visitors" value={numberText(totals.visitors)} />
          <Figure name="Time per visit" value={perVisit} />
          <Figure name="Tokens first used" value={numberText(first_uses)} />
          {check_ins > 0 && <Figure name="Checked in" value={numberText(check_ins)} />}
        </SimpleGrid>
        <FigureCard
          title="Visits"
          plot={
            <Suspense fallback={<Skeleton h={260} />}>
              <TimePlot figures={figures} />
            </Suspense>
          }
          table={<TimeTable figures={figures} />}
        />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          {groups
            .filter((by) => by !== 'country' || figures.has_countries)
            .map((by) => (
              <GroupCard
                key={by}
                by={by}
                rows={store.groups.get(by) ?? []}
                search={`range=${looked.range}&`}
                onExport={() => store.export(looked, by)}
              />
            ))}
        </SimpleGrid>
        <Quiet>
          A visit is one opening of a structure. A visitor counts once a day and isn’t recognized on other days. The
          last minute may be missing. Elements behind a wall count as seen when they are near.
        </Quiet>
      </Stack>
    );
  },
);

/** Statistics of a range, for all structures or one. */
export const StatisticsScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new StatisticsStore(session.client));
  const [params, set] = useAddressFilter();
  const allowed = session.may('endpoints', 'view_any');
  const named = params.get('range');
  const range: RangeName = isRange(named) ? named : 'week';
  const structure = params.get('structure');
  const endpointId = structure && /^\d{1,15}$/.test(structure) ? Number(structure) : null;
  const seesTokens = session.may('access_tokens', 'view_any');
  const groups: StatisticsGroup[] = [
    ...(endpointId === null ? (['structure'] as const) : []),
    ...ALWAYS,
    'country',
    ...(seesTokens ? (['token'] as const) : []),
  ];
  const wanted = groups.join();
  useEffect(() => {
    if (allowed) void store.load({ range, endpointId }, wanted.split(',') as StatisticsGroup[]);
  }, [store, allowed, range, endpointId, wanted]);
  const { value: chosen } = useLoaded(
    async ({ endpoints }) => (endpointId === null ? null : endpoints.read({ params: { id: endpointId } })),
    allowed && endpointId !== null,
  );
  const retry = () => void store.load({ range, endpointId }, groups);
  return (
    <Screen
      title="Statistics"
      allowed={allowed}
      action={
        store.figures &&
        store.figures.live > 0 && (
          <Badge color="teal" tt="none">
            {store.figures.live} now
          </Badge>
        )
      }
    >
      <Group align="end">
        <SegmentedControl
          aria-label="Range"
          data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
          value={range}
          onChange={(value) => set('range', value === 'week' ? null : value)}
        />
        <EntrySelect
          aria-label="Structure"
          placeholder="All structures"
          w={260}
          find={findEndpoints(session.client)}
          chosen={endpointId === null ? null : { id: endpointId, name: chosen?.name ?? `Structure ${endpointId}` }}
          value={structure}
          onChange={(value) => set('structure', value)}
        />
        {endpointId !== null && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void saveCsv(`places-${endpointId}`, store.exportPlaces(endpointId))}
          >
            Positions as CSV
          </Button>
        )}
      </Group>
      {store.state === 'failed' ? (
        <Failed what="The statistics could not be loaded" onRetry={retry} />
      ) : store.figures === null ? (
        <LoadingRows />
      ) : (
        <Figures store={store} looked={{ range, endpointId }} groups={groups} />
      )}
    </Screen>
  );
});
