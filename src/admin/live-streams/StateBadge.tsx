import { Badge } from '@mantine/core';
import type { LiveStreamState } from '../../contract/entities.ts';

const LOOKS = {
  stopped: { label: 'Stopped', color: 'gray' },
  starting: { label: 'Starting', color: 'brass' },
  started: { label: 'Live', color: 'teal' },
} as const;

/** Whether a stream is on the air. */
export const StateBadge = ({ state }: { state: LiveStreamState }) => (
  <Badge color={LOOKS[state].color}>{LOOKS[state].label}</Badge>
);
