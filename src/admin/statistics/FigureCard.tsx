import { Group, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';

/** Card that switches between plot and table. */
export function FigureCard({
  title,
  plot,
  table,
  begin = 'Plot',
  actions,
  isEmpty = false,
}: {
  title: string;
  plot: ReactNode;
  table: ReactNode;
  /** Initial view. */
  begin?: 'Plot' | 'Table';
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
              data={['Plot', 'Table']}
              value={shown}
              onChange={setShown}
            />
          </Group>
        )}
      </Group>
      {isEmpty ? (
        <Text c="dimmed" size="sm">
          No data in this range.
        </Text>
      ) : shown === 'Plot' ? (
        plot
      ) : (
        table
      )}
    </Paper>
  );
}
