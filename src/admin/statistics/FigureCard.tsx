import { Group, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';

/** Figures as a plot or as a table, whichever is wanted. */
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
  /** What is shown first. */
  begin?: 'Plot' | 'Table';
  actions?: ReactNode;
  /** Whether there is nothing to show either way. */
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
          Nothing in this range.
        </Text>
      ) : shown === 'Plot' ? (
        plot
      ) : (
        table
      )}
    </Paper>
  );
}
