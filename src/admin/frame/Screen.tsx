import { Alert, Anchor, Button, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft, IconLock } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';

/** Placeholder while a list loads. */
export function LoadingRows({ count = 8 }: { count?: number }) {
  return (
    <Stack gap={6} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical bars.
        <Skeleton key={index} height={44} />
      ))}
    </Stack>
  );
}

/** Placeholder while a form loads. */
export function LoadingForm() {
  return (
    <Stack gap="lg" role="status" aria-label="Loading">
      {[260, 400, 320, 400].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars never reorder.
        <div key={index}>
          <Skeleton height={12} width={120} mb={8} />
          <Skeleton height={36} maw={width} />
        </div>
      ))}
    </Stack>
  );
}

/** Load error with a retry button. */
export function Failed({ what, onRetry }: { what: string; onRetry(): void }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={what} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">Check your connection and try again.</Text>
        <Button size="xs" color="red" variant="light" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** Illustration: a room with an empty frame. */
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

/** Empty state: illustration, text and next step. */
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

/** Shown if the user lacks permission. */
export function NoPermission() {
  return (
    <Alert color="gray" icon={<IconLock aria-hidden />} title="You don't have access">
      Ask an administrator for permission.
    </Alert>
  );
}

/** Screen layout: title, primary action on the right, content below. */
export function Screen({
  title,
  action,
  back,
  allowed = true,
  narrow = false,
  children,
}: {
  title: string;
  action?: ReactNode;
  /** Target of "Back". */
  back?: string;
  /** Whether the user may see it. */
  allowed?: boolean;
  /** Whether to limit the width to 960 px, for forms. */
  narrow?: boolean;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Enfilade`;
  }, [title]);
  return (
    <Stack maw={narrow ? 960 : 1440} gap="lg">
      <div>
        {back && (
          <Anchor component={Link} to={back} size="sm" display="inline-flex" mb={4} style={{ alignItems: 'center' }}>
            <IconArrowLeft size={16} aria-hidden /> Back
          </Anchor>
        )}
        <Group justify="space-between" align="center" gap="sm">
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {allowed && action}
        </Group>
      </div>
      {allowed ? children : <NoPermission />}
    </Stack>
  );
}
