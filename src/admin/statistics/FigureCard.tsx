import { ActionIcon, Anchor, Group, Paper, SegmentedControl, Skeleton, Table, Title, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { STATISTICS_GROUPS, type StatisticsGroup, type StatisticsRow } from '../../contract/entities.ts';
import { numberText } from '../../ui/language/say.ts';
import { saveCsv } from '../frame/save-csv.ts';
import { Quiet } from '../frame/text.tsx';
import { durationText } from './ranges.ts';
import { figureOfRow, isTimed, kindOfRow, nameOfRow } from './row-words.ts';

const GroupPlot = lazy(async () => ({ default: (await import('./Plot.tsx')).GroupPlot }));

/** Column heading of the counts. */
const UNITS: Record<StatisticsGroup, string> = {
  structure: 'Visits',
  device: 'Visits',
  country: 'Visits',
  language: 'Visits',
  site: 'Visits',
  token: 'Visits',
  opened: 'Times',
  element: 'On screen',
  view_point: 'Time there',
  way: 'Times',
};

function GroupTable({ by, rows, search }: { by: StatisticsGroup; rows: readonly StatisticsRow[]; search: string }) {
  const hasKinds = by === 'opened' || by === 'element';
  const isStructures = by === 'structure';
  return (
    <Table.ScrollContainer minWidth={240} mah={320}>
      <Table stickyHeader aria-label={STATISTICS_GROUPS[by]}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            {hasKinds && <Table.Th>Kind</Table.Th>}
            <Table.Th ta="right">{UNITS[by]}</Table.Th>
            {isStructures && <Table.Th ta="right">Visitors</Table.Th>}
            {isStructures && <Table.Th ta="right">Per visit</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.id} ${row.to_id} ${row.name} ${row.detail}`}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {isStructures ? (
                  <Anchor component={Link} size="sm" to={`/admin/statistics?${search}structure=${row.id}`}>
                    {nameOfRow(by, row)}
                  </Anchor>
                ) : row.room_id !== null && row.id !== null ? (
                  <Anchor href={`/admin/editor/${row.room_id}`} size="sm">
                    {nameOfRow(by, row)}
                  </Anchor>
                ) : (
                  nameOfRow(by, row)
                )}
              </Table.Td>
              {hasKinds && <Table.Td>{kindOfRow(by, row)}</Table.Td>}
              <Table.Td ta="right">{figureOfRow(by, row)}</Table.Td>
              {isStructures && <Table.Td ta="right">{numberText(row.visitors)}</Table.Td>}
              {isStructures && (
                <Table.Td ta="right">{row.count > 0 ? durationText(row.seconds / row.count) : '–'}</Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Grouped figures: plot of the largest, full table and CSV export. */
export function GroupCard({
  by,
  rows,
  search,
  onExport,
}: {
  by: StatisticsGroup;
  rows: readonly StatisticsRow[];
  /** Base URL for links to other structures' statistics. */
  search: string;
  onExport(): Promise<string>;
}) {
  const title = STATISTICS_GROUPS[by];
  const plot = (
    <Suspense fallback={<Skeleton h={160} />}>
      <GroupPlot by={by} title={title} rows={rows} />
    </Suspense>
  );
  return (
    <FigureCard
      title={title}
      begin={isTimed(by) || by === 'token' || by === 'way' ? 'table' : 'plot'}
      isEmpty={rows.length === 0}
      plot={plot}
      table={<GroupTable by={by} rows={rows} search={search} />}
      actions={
        <Tooltip label="Export as CSV">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Export ${title} as CSV`}
            onClick={() => void saveCsv(`statistics-${by}`, onExport())}
          >
            <IconDownload size={18} />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
}

/** Card that switches between plot and table. */
export function FigureCard({
  title,
  plot,
  table,
  begin = 'plot',
  actions,
  isEmpty = false,
}: {
  title: string;
  plot: ReactNode;
  table: ReactNode;
  /** Initial view. */
  begin?: 'plot' | 'table';
  actions?: ReactNode;
  /** Whether there is no data. */
  isEmpty?: boolean;
}) {
  const [shown, setShown] = useState<string>(begin);
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} miw={0}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {!isEmpty && (
          <Group gap="xs">
            {actions}
            <SegmentedControl
              size="xs"
              aria-label={`${title} as`}
              data={[
                { value: 'plot', label: 'Plot' },
                { value: 'table', label: 'Table' },
              ]}
              value={shown}
              onChange={setShown}
            />
          </Group>
        )}
      </Group>
      {isEmpty ? <Quiet>No data in this range.</Quiet> : shown === 'plot' ? plot : table}
    </Paper>
  );
}
