import { Anchor, Button, Group, PasswordInput, TextInput } from '@mantine/core';
import { IconBuilding, IconFingerprint } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { SignInOptions } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { askPasskey, hasPasskeys } from '../account/passkey.ts';
import { CodeForm } from './CodeForm.tsx';
import { problemsOf } from './problems-of.ts';
import { SignInFrame } from './SignInFrame.tsx';
import { readAskedAddress, wantedAfter, wantedPath } from './wanted-path.ts';

/** Sign-in by password, passkey or identity provider, and password reset. */
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
  /** Sent with the second-factor code after the password was accepted. */
  const [step, setStep] = useState<string | null>(null);

  const [options, setOptions] = useState<SignInOptions>({ has_password: true, provider: null });
  useEffect(() => {
    // On failure, fall back to the password form, whose call reports the error.
    session.client.signIn.options().then(setOptions, () => undefined);
  }, [session]);

  const goOn = () => navigate(wantedPath(query.get('redirect')), { replace: true });
  const login = async () => {
    const token = await session.login(email, password).catch((error: unknown) => {
      showProblem(error);
      throw error;
    });
    if (token === null) goOn();
    else setStep(token);
  };
  const forgot = async () => {
    await session.client.users.forgot({ body: { email } });
    turn(false);
  };
  const withPasskey = async () => {
    const { options } = await session.client.passkeys.beginSignIn();
    session.begin(await session.client.passkeys.signIn({ body: { answer: await askPasskey(options) } }));
    goOn();
  };
  const withProvider = async () => {
    const { url } = await session.client.signIn.begin();
    wantedAfter.set(query.get('redirect'));
    location.assign(url);
  };
  const turn = (forgotten: boolean) => {
    setForgotten(forgotten);
    setProblems([]);
  };
  const run = async (task: () => Promise<void>) => {
    setBusy(true);
    setProblems([]);
    try {
      await task();
    } catch (error) {
      setProblems(problemsOf(error));
    }
    setBusy(false);
  };

  const goBack = (why: string[]) => {
    setStep(null);
    setPassword('');
    setProblems(why);
  };
  if (step !== null) return <CodeForm token={step} onDone={goOn} onBack={goBack} />;
  return (
    <SignInFrame
      title={isForgotten ? 'Reset password' : 'Enfilade'}
      problems={problems}
      notice={session.hasEnded && !isForgotten ? 'Your session has ended. Sign in again.' : undefined}
      onSubmit={() => void run(isForgotten ? forgot : login)}
    >
      {(options.has_password || isForgotten) && (
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      )}
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
          {options.has_password && (
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
            </>
          )}
          {options.provider !== null && (
            <Button
              variant={options.has_password ? 'default' : 'filled'}
              fullWidth
              disabled={isBusy}
              leftSection={<IconBuilding size={18} aria-hidden />}
              onClick={() => void run(withProvider)}
            >
              {options.provider}
            </Button>
          )}
          {hasPasskeys() && (
            <Button
              variant="default"
              fullWidth
              disabled={isBusy}
              leftSection={<IconFingerprint size={18} aria-hidden />}
              onClick={() => void run(withPasskey)}
            >
              Sign in with a passkey
            </Button>
          )}
          {options.has_password && (
            <Anchor component="button" type="button" size="sm" onClick={() => turn(true)}>
              I forgot my password
            </Anchor>
          )}
        </>
      )}
    </SignInFrame>
  );
}
