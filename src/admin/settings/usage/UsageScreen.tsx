import { Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { Quota, Usage } from '../../../contract/entities.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { Screen } from '../../frame/Screen.tsx';
import { Failed, LoadingForm } from '../../frame/states.tsx';

const MEGABYTE = 1_000_000;
/** Part of a limit from which on little is left. */
const NEARLY = 0.9;

const NAMES: Record<Quota, string> = {
  storage: 'Storage',
  spaces: 'Spaces',
  structures: 'Structures',
  users: 'Users',
  tokens: 'Access tokens',
  mails: 'Messages in 24 hours',
};

/** A number as the screen shows it: storage in MB. */
const shown = (quota: Quota, count: number): string =>
  (quota === 'storage' ? count / MEGABYTE : count).toLocaleString('en', { maximumFractionDigits: 1 });

/** How much there is of one thing, of how much there may be. */
function UsageBar({ quota, used, limit }: Usage) {
  const unit = quota === 'storage' ? ' MB' : '';
  const part = limit === null ? 0 : limit === 0 ? 1 : used / limit;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text fw={500}>{NAMES[quota]}</Text>
        <Text size="sm">
          {limit === null
            ? `${shown(quota, used)}${unit}, without a limit`
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

/** What the organization uses of what it may have. */
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
              Whoever runs the server sets the limits. Remove what is no longer needed, or ask them for more.
            </Text>
          </Stack>
        </Paper>
      )}
    </Screen>
  );
}
