import { Anchor, Button, Group, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';
import { wantedPath } from '../wanted-path.ts';
import { readAskedAddress } from './asked-address.ts';
import { problemsOf } from './problems-of.ts';
import { SignInFrame } from './SignInFrame.tsx';

/** Signing in with e-mail and password, or asking for a link to set a new password. */
export function LoginScreen() {
  const session = useSession();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const asked = readAskedAddress(useLocation().state);
  const [isForgotten, setForgotten] = useState(asked !== null);
  const [email, setEmail] = useState(asked ?? '');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);

  const login = async () => {
    await session.login(email, password);
    navigate(wantedPath(query.get('redirect')), { replace: true });
  };
  const forgot = async () => {
    await session.client.users.forgot({ body: { email } });
    turn(false);
  };
  const turn = (forgotten: boolean) => {
    setForgotten(forgotten);
    setProblems([]);
  };
  const submit = async () => {
    setBusy(true);
    setProblems([]);
    try {
      await (isForgotten ? forgot() : login());
    } catch (error) {
      setProblems(problemsOf(error));
    }
    setBusy(false);
  };

  return (
    <SignInFrame
      title={isForgotten ? 'Reset password' : 'Enfilade'}
      problems={problems}
      notice={session.hasEnded && !isForgotten ? 'Your session has ended. Sign in again.' : undefined}
      onSubmit={() => void submit()}
    >
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {isForgotten ? (
        <Group grow mt="xs">
          <Button type="submit" loading={isBusy}>
            Reset password
          </Button>
          <Button variant="default" onClick={() => turn(false)}>
            Cancel
          </Button>
        </Group>
      ) : (
        <>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            maxLength={1024}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={isBusy} fullWidth mt="xs">
            Login
          </Button>
          <Anchor component="button" type="button" size="sm" onClick={() => turn(true)}>
            I forgot my password
          </Anchor>
        </>
      )}
    </SignInFrame>
  );
}
