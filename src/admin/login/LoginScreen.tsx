import { Alert, Button, Center, Group, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { ApiError } from '../../contract/errors.ts';
import { Sign } from '../../ui/Sign.tsx';
import type { SessionStore } from '../session-store.ts';
import { wantedPath } from '../wanted-path.ts';

/** Signing in with e-mail and password. */
export function LoginScreen({ session }: { session: SessionStore }) {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await session.login(email, password);
      navigate(wantedPath(query.get('redirect')), { replace: true });
    } catch (error) {
      setProblem(
        error instanceof ApiError
          ? `${error.message} ${error.suggestion}`
          : 'The server could not be reached. Try again.',
      );
      setBusy(false);
    }
  };

  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--mantine-color-body)">
      <Paper component="form" onSubmit={submit} withBorder p="xl" w="100%" maw={400} aria-labelledby="login-title">
        <Stack>
          <Group gap="sm" c="var(--brass)">
            <Sign size={32} />
            <Title order={1} size="h3" id="login-title" c="var(--mantine-color-text)">
              Enfilade
            </Title>
          </Group>
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={busy} fullWidth mt="xs">
            Login
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
