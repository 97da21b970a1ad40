import { Alert, Center, Group, Paper, Stack, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { ApiError } from '../../contract/errors.ts';
import { Sign } from '../../ui/Sign.tsx';
import { storedText } from '../../ui/storage.ts';

/** Router state for requesting a new link, so that no email address ends up in logs. */
export const askedAddress = (email: string) => ({ forgotten: email });

/** The email for a new link; null on normal sign-in. */
export function readAskedAddress(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('forgotten' in state)) return null;
  return typeof state.forgotten === 'string' ? state.forgotten : null;
}

/** Sanitized redirect target: a back-office path, or the dashboard. */
export function wantedPath(redirectTo: string | null): string {
  return redirectTo && /^\/admin(?:[/?#]|$)/.test(redirectTo) ? redirectTo : '/admin';
}

/** Redirect target kept during identity provider sign-in. */
export const wantedAfter = storedText('enfilade.wanted-path', 'window');

/** Error messages of a failed call, except those of fields that show their own. */
export function problemsOf(error: unknown, shown: readonly string[] = []): string[] {
  if (!(error instanceof ApiError)) return ['The server could not be reached. Try again.'];
  const texts = Object.entries(error.msg)
    .filter(([name]) => !shown.includes(name))
    .flatMap(([, list]) => list);
  // Field messages already say what to do.
  if (error.code === 'invalid') return texts;
  return texts.length > 0 ? [...texts, error.suggestion] : [];
}

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
