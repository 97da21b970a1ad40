import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../contract/errors.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { problemsOf } from './problems-of.ts';
import { SignInFrame } from './SignInFrame.tsx';

/** Second step of sign-in: an authenticator or recovery code. */
export function CodeForm({
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
