import { Anchor, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '../../contract/errors.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useEditor } from '../session/editor-context.ts';

/** The login screen in another window, for passkeys and identity providers; this page continues after it. */
const OTHER_WAYS = '/admin/login';

const messageOf = (error: unknown): string =>
  error instanceof ApiError ? Object.values(error.msg).flat().join(' ') : 'The server could not be reached. Try again.';

/** Asks the editor's user to sign in again after the session has ended; edits stay on the page and are then saved. */
export const SignInAgain = observer(({ opened, onClose }: { opened: boolean; onClose(): void }) => {
  const session = useSession();
  const { saving, line } = useEditor();
  const { state, user, other, isChecking } = session;
  const [password, setPassword] = useState('');
  /** Response of the password sign-in, to be sent with the second-factor code. */
  const [step, setStep] = useState<string | null>(null);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [hasPassword, setHasPassword] = useState(true);
  const isExpired = state === 'expired';
  useEffect(() => {
    if (!isExpired) return;
    // On failure, the password form stays; its call reports the error.
    session.client.signIn.options().then(
      ({ has_password }) => setHasPassword(has_password),
      () => undefined,
    );
    return () => {
      setPassword('');
      setCode('');
      setStep(null);
      setProblem('');
      saving.queue.resume();
      line.reopen();
    };
  }, [isExpired, session, saving, line]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      if (step === null) setStep(await session.login(user!.email, password));
      else session.begin(await session.client.secondFactor.signIn({ body: { token: step, code } }));
    } catch (error) {
      if (error instanceof ApiError && error.msg.token) setStep(null);
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  const waiting = saving.queue.waiting > 0 ? 'Your changes stay on this page and are saved after you sign in.' : '';
  return (
    <Modal opened={opened && isExpired && !isChecking} onClose={onClose} title="Sign in again" centered>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <Text size="sm">
            {other === null
              ? 'Your session has ended.'
              : `${other.name} has signed in in another window. Sign in as ${user?.name} to continue here.`}{' '}
            {waiting}
          </Text>
          {hasPassword && <TextInput label="E-mail" autoComplete="username" readOnly value={user?.email ?? ''} />}
          {hasPassword && step === null && (
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              data-autofocus
              required
              maxLength={1024}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          )}
          {step !== null && (
            <TextInput
              label="Code"
              description="From your authenticator app"
              autoComplete="one-time-code"
              inputMode="numeric"
              autoFocus
              required
              maxLength={40}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          {problem !== '' && (
            <Text size="sm" c="red" role="alert">
              {problem}
            </Text>
          )}
          <Group justify="space-between">
            <Anchor size="sm" href={OTHER_WAYS} target="_blank">
              Other ways to sign in
            </Anchor>
            {hasPassword && (
              <Button type="submit" loading={isBusy}>
                Login
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
});
