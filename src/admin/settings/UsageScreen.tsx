import { Group, Paper, Progress, Stack, Text } from '@mantine/core';
import type { Quota, Usage } from '../../contract/entities.ts';
import { locale } from '../../ui/language/language.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { Loaded, useLoaded } from '../frame/Loaded.tsx';
import { Screen } from '../frame/Screen.tsx';
import { Quiet } from '../frame/text.tsx';

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
  (quota === 'storage' ? count / MEGABYTE : count).toLocaleString(locale, { maximumFractionDigits: 1 });

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
  const isAllowed = useSession().may('settings', 'view_any');
  const usage = useLoaded(({ organizations }) => organizations.usage(), isAllowed);
  return (
    <Screen title="Usage" narrow allowed={isAllowed}>
      <Loaded of={usage} what="The usage">
        {(quotas) => (
          <Paper withBorder p="lg">
            <Stack gap="lg">
              {quotas.map((entry) => (
                <UsageBar key={entry.quota} {...entry} />
              ))}
              <Quiet>The server operator sets the limits. Remove what you no longer need, or ask for more.</Quiet>
            </Stack>
          </Paper>
        )}
      </Loaded>
    </Screen>
  );
}
