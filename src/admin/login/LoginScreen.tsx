import { Anchor, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { IconBuilding, IconFingerprint } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { SignInOptions } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { askPasskey, hasPasskeys } from '../account/passkey.ts';
import { problemsOf, readAskedAddress, SignInFrame, wantedAfter, wantedPath } from './SignInFrame.tsx';

/** Second step of sign-in: an authenticator or recovery code. */
function CodeForm({
  token,
  onDone,
  onBack,
}: {
  /** Response of the password sign-in. */
  token: string;
  onDone(): void;
  /** Returns to the password form. @param problems error messages */
  onBack(problems: string[]): void;
}) {
  const session = useSession();
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const [problems, setProblems] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);

  const submit = async () => {
    setBusy(true);
    setProblems([]);
    try {
      session.begin(await session.client.secondFactor.signIn({ body: { token, code } }));
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.msg.token) return onBack(problemsOf(error));
      setProblems(problemsOf(error));
      setBusy(false);
    }
  };
  const turn = () => {
    setRecovery(!isRecovery);
    setCode('');
    setProblems([]);
  };

  return (
    <SignInFrame title="Enter your code" problems={problems} onSubmit={() => void submit()}>
      <Text size="sm">
        {isRecovery
          ? 'Enter one of your recovery codes. Each works once.'
          : 'Open your authenticator app and enter the code it shows.'}
      </Text>
      <TextInput
        key={isRecovery ? 'recovery' : 'app'}
        label={isRecovery ? 'Recovery code' : 'Code'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoFocus
        required
        maxLength={40}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} fullWidth mt="xs">
        Login
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={turn}>
        {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </Anchor>
      <Anchor component="button" type="button" size="sm" onClick={() => onBack([])}>
        Back to login
      </Anchor>
    </SignInFrame>
  );
}

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
          autoFocus
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
