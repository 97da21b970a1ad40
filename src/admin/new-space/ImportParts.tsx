import { List, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './new-space.module.css';

/** A scrollable area with a name. */
export const Scrolled = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas need keyboard access.
  <section className={classes.photos} aria-label={label} tabIndex={0}>
    {children}
  </section>
);

/** Titled lines, such as omissions; nothing without lines. */
export const Lines = ({ title, lines }: { title: string; lines: readonly string[] }) =>
  lines.length > 0 && (
    <Scrolled label={title}>
      <Text size="sm" fw={500} mb={4}>
        {title}
      </Text>
      <List size="xs">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat, and don't change their order.
          <List.Item key={index}>{line}</List.Item>
        ))}
      </List>
    </Scrolled>
  );

/** Progress of files. @param children the current file, in words */
export const FileProgress = ({
  label,
  done,
  all,
  children,
}: {
  label: string;
  done: number;
  all: number;
  children: ReactNode;
}) => (
  <Stack gap={4}>
    <Text size="sm" role="status">
      {children}
    </Text>
    <Progress value={(100 * done) / all} aria-label={label} />
  </Stack>
);
