import { Anchor, Badge, Card, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { type RoomRow, SITE_PROBLEMS, type SiteProblem, type Statistics } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useLoaded } from '../frame/Loaded.tsx';
import { Quiet } from '../frame/text.tsx';
import { beginOf, ownZone } from '../statistics/ranges.ts';
import classes from './dashboard.module.css';

/** Maximum recently changed spaces shown. */
const MAX_CHANGED = 5;

/** Data of each part: undefined until loaded, null if loading failed. Their own screens show the error. */
export function useOverview(seesStructures: boolean, seesRooms: boolean) {
  const week = useLoaded(
    ({ statistics }) => statistics.read({ query: { from: beginOf('week'), zone: ownZone() } }),
    seesStructures,
  );
  const problems = useLoaded(({ statistics }) => statistics.problems(), seesStructures);
  const changed = useLoaded(
    ({ rooms }) => rooms.list({ query: { sort: '-edited', per_page: MAX_CHANGED } }),
    seesRooms,
  );
  return {
    week: week.value,
    problems: problems.value ?? [],
    changed: changed.value?.data ?? [],
    load: () => {
      if (seesStructures) for (const part of [week, problems]) void part.load();
      if (seesRooms) void changed.load();
    },
  };
}

const WIDTH = 160;
const HEIGHT = 40;

/** Sparkline of daily visits. */
function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const points = values.map((value, index) => {
    const x = (index * WIDTH) / Math.max(1, values.length - 1);
    return `${x.toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`;
  });
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={classes.sparkline} aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

function Visits({ week }: { week: Statistics }) {
  const figures = {
    'Visits today': week.points.at(-1)?.visits ?? 0,
    'Last 7 days': week.totals.visits,
    Now: week.live,
  };
  return (
    <Card component={Link} to="/admin/statistics" withBorder padding="lg" className={classes.tile}>
      <Group justify="space-between" wrap="wrap">
        <Group gap="xl">
          {Object.entries(figures).map(([name, figure]) => (
            <div key={name}>
              <Quiet>{name}</Quiet>
              <Text fz={24} fw={600}>
                {figure.toLocaleString()}
              </Text>
            </div>
          ))}
        </Group>
        <Sparkline values={week.points.map(({ visits }) => visits)} />
      </Group>
    </Card>
  );
}

/** URL of the screen where a problem can be fixed. */
const placeOf = ({ room_id, endpoint_id }: SiteProblem): string =>
  room_id === null ? `/admin/structures/${endpoint_id}` : `/admin/editor/${room_id}`;

function Problem({ problem }: { problem: SiteProblem }) {
  const { kind, endpoint_name, element_name } = problem;
  const name = element_name ? `${endpoint_name}, ${element_name}` : endpoint_name;
  // The editor is a separate page.
  const isEditor = problem.room_id !== null;
  return (
    <List.Item>
      {isEditor ? (
        <Anchor href={placeOf(problem)}>{name}</Anchor>
      ) : (
        <Anchor component={Link} to={placeOf(problem)}>
          {name}
        </Anchor>
      )}
      : {SITE_PROBLEMS[kind].charAt(0).toLowerCase() + SITE_PROBLEMS[kind].slice(1)}
    </List.Item>
  );
}

function Problems({ problems }: { problems: readonly SiteProblem[] }) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="problems">
      <Group gap="xs" mb="xs">
        <IconAlertTriangle size={18} aria-hidden color="var(--mantine-color-error)" />
        <Title order={2} size="h5" id="problems">
          Needs attention
        </Title>
        <Badge color="red" variant="light">
          {problems.length}
        </Badge>
      </Group>
      <List size="sm" spacing={4} className={classes.problems}>
        {problems.map((problem) => (
          <Problem key={`${problem.kind} ${problem.endpoint_id} ${problem.element_id}`} problem={problem} />
        ))}
      </List>
    </Paper>
  );
}

function Changed({ rooms }: { rooms: readonly RoomRow[] }) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="changed">
      <Title order={2} size="h5" id="changed" mb="xs">
        Recent changes
      </Title>
      <Stack gap={8}>
        {rooms.map(({ id, title, name, poster_url, edited_at, edited_by }) => (
          <Group key={id} justify="space-between" gap="xs" wrap="nowrap">
            <Group gap="xs" wrap="nowrap" miw={0}>
              <Poster url={poster_url} width={48} />
              <Anchor component={Link} to={`/admin/spaces/${id}`} size="sm" truncate>
                {title || name}
              </Anchor>
            </Group>
            <Quiet ta="right">{[edited_by, momentText(edited_at)].filter(Boolean).join(' · ')}</Quiet>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

/** Visits, problems and recent changes. */
export function Overview({ week, problems, changed }: ReturnType<typeof useOverview>) {
  return (
    <>
      {week?.is_counting && <Visits week={week} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {problems.length > 0 && <Problems problems={problems} />}
        {changed.length > 0 && <Changed rooms={changed} />}
      </SimpleGrid>
    </>
  );
}
