import { Badge } from '@mantine/core';
import type { LiveStreamState } from '../../contract/entities.ts';

const LOOKS = {
  stopped: { label: 'Stopped', color: 'gray' },
  starting: { label: 'Starting', color: 'brass' },
  started: { label: 'Live', color: 'teal' },
} as const;

/** State of a stream. */
export const StateBadge = ({ state }: { state: LiveStreamState }) => (
  <Badge color={LOOKS[state].color}>{LOOKS[state].label}</Badge>
);
