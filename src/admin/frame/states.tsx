import { Alert, Button, Center, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** What stands in place of a list while it loads. */
export function LoadingRows({ count = 8 }: { count?: number }) {
  return (
    <Stack gap={6} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars that are all the same.
        <Skeleton key={index} height={44} />
      ))}
    </Stack>
  );
}

/** What stands in place of a form while it loads. */
export function LoadingForm() {
  return (
    <Stack gap="lg" role="status" aria-label="Loading">
      {[260, 400, 320, 400].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars that stay in their order.
        <div key={index}>
          <Skeleton height={12} width={120} mb={8} />
          <Skeleton height={36} maw={width} />
        </div>
      ))}
    </Stack>
  );
}

/** What happened, and the way out. */
export function Failed({ what, onRetry }: { what: string; onRetry(): void }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={what} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">Nothing is lost. Check the connection and try again.</Text>
        <Button size="xs" color="red" variant="light" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** A room with an empty frame on its wall. */
function EmptyRoom() {
  return (
    <svg viewBox="0 0 120 72" width={120} height={72} fill="none" strokeWidth="1.5" aria-hidden="true">
      <path
        d="M1 1h118v70H1zM28 14h64v40H28zM1 1l27 13M119 1 92 14M1 71l27-17M119 71 92 54"
        stroke="light-dark(var(--mantine-color-gray-4), var(--mantine-color-dark-3))"
        strokeLinejoin="round"
      />
      <path d="M48 22h24v18H48z" stroke="var(--mantine-primary-color-filled)" strokeLinejoin="round" />
    </svg>
  );
}

/** Nothing is there yet: a picture, a sentence, and the next step. */
export function Empty({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <Center py={48}>
      <Stack align="center" gap="md">
        <EmptyRoom />
        <Text c="dimmed" ta="center">
          {text}
        </Text>
        {children}
      </Stack>
    </Center>
  );
}

/** The user may not see this. */
export function NoPermission() {
  return (
    <Alert color="gray" icon={<IconLock aria-hidden />} title="You don't have access">
      Ask an administrator for the right to do it.
    </Alert>
  );
}
