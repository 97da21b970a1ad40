import { Alert, Center, Group, Paper, Stack, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { Sign } from '../../ui/Sign.tsx';

/** Card layout of the sign-in screens. */
export function SignInFrame({
  title,
  problems,
  wayOut,
  notice,
  onSubmit,
  children,
}: {
  title: string;
  problems: readonly string[];
  /** Actions for the errors. */
  wayOut?: ReactNode;
  /** Why the user is here. */
  notice?: string;
  onSubmit(): void;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = title === 'Enfilade' ? title : `${title} · Enfilade`;
  }, [title]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--mantine-color-body)">
      <Paper component="form" onSubmit={submit} withBorder p="xl" w="100%" maw={400} aria-labelledby="sign-in-title">
        <Stack>
          <Group gap="sm" c="var(--brass)">
            <Sign size={32} />
            <Title order={1} size="h3" id="sign-in-title" c="var(--mantine-color-text)">
              {title}
            </Title>
          </Group>
          {notice && (
            <Alert color="brass" role="status">
              {notice}
            </Alert>
          )}
          {problems.length > 0 && (
            <Alert color="red" role="alert">
              {problems.map((text) => (
                <div key={text}>{text}</div>
              ))}
              {wayOut}
            </Alert>
          )}
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
