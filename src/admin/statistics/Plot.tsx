import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { Statistics, StatisticsGroup, StatisticsRow } from '../../contract/entities.ts';
import { durationText, stepText } from './ranges.ts';
import { isTimed, nameOfRow } from './row-words.ts';

const MAX_BARS = 8;
const MAX_NAME_LENGTH = 22;

const short = (name: string): string =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;

/** Visits and visitors over time; the table has the same data. */
export function TimePlot({ figures }: { figures: Statistics }) {
  const data = figures.points.map(({ at, visits, visitors }) => ({
    at: stepText(at, figures.interval),
    Visits: visits,
    Visitors: visitors,
  }));
  return (
    <div role="img" aria-label="Visits and visitors over time">
      <BarChart
        h={260}
        data={data}
        dataKey="at"
        withLegend
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ radius: 2, maxBarSize: 18, isAnimationActive: false }}
        yAxisProps={{ allowDecimals: false }}
        series={[
          { name: 'Visits', color: 'brass.6' },
          { name: 'Visitors', color: 'teal.6' },
        ]}
      />
    </div>
  );
}

/** Bar chart of the largest groups. */
export function GroupPlot({ by, title, rows }: { by: StatisticsGroup; title: string; rows: readonly StatisticsRow[] }) {
  const unit = isTimed(by) ? 'Seconds' : 'Times';
  const shown = rows.slice(0, MAX_BARS);
  const data = shown.map((row) => ({ name: short(nameOfRow(by, row)), [unit]: isTimed(by) ? row.seconds : row.count }));
  return (
    <div role="img" aria-label={`${title}, largest first`}>
      <BarChart
        h={40 + shown.length * 30}
        data={data}
        dataKey="name"
        orientation="vertical"
        gridAxis="none"
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ radius: 3, maxBarSize: 18, isAnimationActive: false }}
        yAxisProps={{ width: 150, interval: 0 }}
        xAxisProps={{ allowDecimals: false }}
        valueFormatter={isTimed(by) ? durationText : undefined}
        series={[{ name: unit, color: 'brass.6' }]}
      />
    </div>
  );
}
