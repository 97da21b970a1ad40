import { Anchor, Badge, Card, CloseButton, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type RoomRow,
  SITE_PROBLEMS,
  type SiteProblem,
  type SiteProblemKind,
  type SiteProblems,
  type Statistics,
} from '../../contract/entities.ts';
import { locale } from '../../ui/language/language.ts';
import { numberText } from '../../ui/language/say.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { useLoaded } from '../frame/Loaded.tsx';
import { Quiet, Tag } from '../frame/text.tsx';
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
    setProblems: (groups: SiteProblems[]) => problems.set(groups),
    changed: changed.value?.data ?? [],
    load: () => {
      if (seesStructures) for (const part of [week, problems]) void part.load();
      if (seesRooms) void changed.load();
    },
  };
}

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });

/** Visits per day as bars, today's last. */
function Bars({ points }: { points: Statistics['points'] }) {
  const most = Math.max(1, ...points.map(({ visits }) => visits));
  return (
    <div className={classes.bars} role="img" aria-label="Visits per day">
      {points.map(({ at, visits }, index) => (
        <div key={at} data-today={index === points.length - 1 || undefined}>
          <i>{numberText(visits)}</i>
          <b style={{ height: `${(visits / most) * 100}%` }} />
          <span>{weekday.format(Date.parse(at))}</span>
        </div>
      ))}
    </div>
  );
}

function Visits({ week }: { week: Statistics }) {
  const figures = [
    { label: 'Visits today', figure: week.points.at(-1)?.visits ?? 0 },
    { label: 'Last 7 days', figure: week.totals.visits },
    { label: 'Now', figure: week.live },
  ];
  return (
    <Card component={Link} to="/admin/statistics" withBorder padding="lg" className={classes.tile}>
      <Group justify="space-between" wrap="wrap">
        <Group gap="xl">
          {figures.map(({ label, figure }) => (
            <div key={label}>
              <Quiet>{label}</Quiet>
              <Text fz={24} fw={600}>
                {numberText(figure)}
              </Text>
            </div>
          ))}
        </Group>
        <Bars points={week.points} />
      </Group>
    </Card>
  );
}

/** URL of the screen where a problem can be fixed. */
const placeOf = ({ room_id, endpoint_id }: SiteProblem): string =>
  room_id === null ? `/admin/structures/${endpoint_id}` : `/admin/editor/${room_id}`;

function Problem({ problem }: { problem: SiteProblem }) {
  const { endpoint_name, element_name } = problem;
  const name = element_name ? `${endpoint_name}, ${element_name}` : endpoint_name;
  // The editor is a separate page.
  return problem.room_id === null ? (
    <Anchor component={Link} to={placeOf(problem)} size="sm">
      {name}
    </Anchor>
  ) : (
    <Anchor href={placeOf(problem)} size="sm">
      {name}
    </Anchor>
  );
}

/** Problems of a kind shown before the rest is asked for. */
const MAX_SHOWN = 3;

/** Lists of structures that have a problem. */
const ALL_WITH: Partial<Record<SiteProblemKind, string>> = {
  no_space: '/admin/structures?state=empty',
  not_published: '/admin/structures?state=closed',
};

function ProblemGroup({
  group: { kind, count, problems, is_dismissed },
  onDismiss,
}: {
  group: SiteProblems;
  /** @param isDismissed whether to dismiss the group, or to show it again */
  onDismiss(isDismissed: boolean): void;
}) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? problems : problems.slice(0, MAX_SHOWN);
  const rest = count - shown.length;
  const all = ALL_WITH[kind];
  return (
    <Stack component="section" gap={4} aria-label={SITE_PROBLEMS[kind]}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={500}>
          {SITE_PROBLEMS[kind]}
        </Text>
        <Tag color="gray">{numberText(count)}</Tag>
        {is_dismissed ? (
          <Anchor component="button" type="button" size="sm" c="dimmed" ml="auto" onClick={() => onDismiss(false)}>
            Show again
          </Anchor>
        ) : (
          <CloseButton
            size="sm"
            ml="auto"
            aria-label={`Dismiss: ${SITE_PROBLEMS[kind]}`}
            onClick={() => onDismiss(true)}
          />
        )}
      </Group>
      <List size="sm" listStyleType="none">
        {shown.map((problem) => (
          <List.Item key={`${problem.endpoint_id} ${problem.element_id}`}>
            <Problem problem={problem} />
          </List.Item>
        ))}
      </List>
      {rest > 0 &&
        (shown.length < problems.length ? (
          <Anchor component="button" type="button" size="sm" c="dimmed" ta="start" onClick={() => setWhole(true)}>
            Show {problems.length - shown.length} more
          </Anchor>
        ) : all ? (
          <Anchor component={Link} to={all} size="sm" c="dimmed">
            All {numberText(count)}
          </Anchor>
        ) : (
          <Quiet>and {numberText(rest)} more</Quiet>
        ))}
    </Stack>
  );
}

function Problems({ all, onChange }: { all: readonly SiteProblems[]; onChange(groups: SiteProblems[]): void }) {
  const { client } = useSession();
  const [hasAll, setAll] = useState(false);
  const groups = all.filter(({ is_dismissed }) => hasAll || !is_dismissed);
  const dismissed = all.filter(({ is_dismissed }) => is_dismissed).length;
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const dismiss = async ({ kind, count }: SiteProblems, isDismissed: boolean) => {
    try {
      onChange(await client.statistics.dismissProblems({ body: { kind, count: isDismissed ? count : null } }));
    } catch (error) {
      showProblem(error);
      // There are others now.
      await client.statistics.problems().then(onChange, () => undefined);
    }
  };
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="problems">
      <Group gap="xs" mb="sm">
        <IconAlertTriangle size={18} aria-hidden color="var(--mantine-color-error)" />
        <Title order={2} size="h5" id="problems">
          Needs attention
        </Title>
        {total > 0 && (
          <Badge color="red" variant="light">
            {numberText(total)}
          </Badge>
        )}
      </Group>
      <Stack gap="md">
        {groups.map((group) => (
          <ProblemGroup key={group.kind} group={group} onDismiss={(isDismissed) => void dismiss(group, isDismissed)} />
        ))}
        {dismissed > 0 && !hasAll && (
          <Anchor component="button" type="button" size="sm" c="dimmed" ta="start" onClick={() => setAll(true)}>
            {numberText(dismissed)} dismissed
          </Anchor>
        )}
      </Stack>
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
export function Overview({ week, problems, setProblems, changed }: ReturnType<typeof useOverview>) {
  return (
    <>
      {week?.is_counting && <Visits week={week} />}
      <SimpleGrid cols={{ base: 1, md: problems.length > 0 && changed.length > 0 ? 2 : 1 }} spacing="md">
        {problems.length > 0 && <Problems all={problems} onChange={setProblems} />}
        {changed.length > 0 && <Changed rooms={changed} />}
      </SimpleGrid>
    </>
  );
}
