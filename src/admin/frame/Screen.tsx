import { Anchor, Group, Stack, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { NoPermission } from './states.tsx';

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
