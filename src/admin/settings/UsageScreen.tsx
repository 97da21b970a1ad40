import { Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { Quota, Usage } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { Screen } from '../frame/Screen.tsx';
import { Failed, LoadingForm } from '../frame/states.tsx';

const MEGABYTE = 1_000_000;
/** Usage ratio from which the bar shows a warning. */
const NEARLY = 0.9;

const NAMES: Record<Quota, string> = {
  storage: 'Storage',
  spaces: 'Spaces',
  structures: 'Structures',
  users: 'Users',
  tokens: 'Access tokens',
  mails: 'Messages in 24 hours',
};

/** Formats a value; storage in MB. */
const shown = (quota: Quota, count: number): string =>
  (quota === 'storage' ? count / MEGABYTE : count).toLocaleString('en', { maximumFractionDigits: 1 });

/** Usage of one quota. */
function UsageBar({ quota, used, limit }: Usage) {
  const unit = quota === 'storage' ? ' MB' : '';
  const part = limit === null ? 0 : limit === 0 ? 1 : used / limit;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text fw={500}>{NAMES[quota]}</Text>
        <Text size="sm">
          {limit === null
            ? `${shown(quota, used)}${unit}, no limit`
            : `${shown(quota, used)} of ${shown(quota, limit)}${unit}`}
        </Text>
      </Group>
      {limit !== null && (
        <Progress
          value={Math.min(100, part * 100)}
          color={part >= 1 ? 'red' : part >= NEARLY ? 'orange' : undefined}
          size="lg"
          mt={6}
          aria-label={NAMES[quota]}
        />
      )}
    </div>
  );
}

/** Usage and limits of the organization. */
export function UsageScreen() {
  const session = useSession();
  const { client } = session;
  const isAllowed = session.may('settings', 'view_any');
  const [usage, setUsage] = useState<Usage[] | 'loading' | 'failed'>('loading');
  const load = useCallback(async () => {
    setUsage('loading');
    setUsage(await client.organizations.usage().catch((): 'failed' => 'failed'));
  }, [client]);
  useEffect(() => {
    if (isAllowed) void load();
  }, [isAllowed, load]);
  return (
    <Screen title="Usage" narrow allowed={isAllowed}>
      {usage === 'loading' && <LoadingForm />}
      {usage === 'failed' && <Failed what="The usage could not be loaded" onRetry={() => void load()} />}
      {typeof usage === 'object' && (
        <Paper withBorder p="lg">
          <Stack gap="lg">
            {usage.map((entry) => (
              <UsageBar key={entry.quota} {...entry} />
            ))}
            <Text size="sm" c="dimmed">
              The server operator sets the limits. Remove what you no longer need, or ask for more.
            </Text>
          </Stack>
        </Paper>
      )}
    </Screen>
  );
}
