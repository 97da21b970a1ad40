import { Button, Loader, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';
import { problemsOf, SignInFrame, wantedAfter, wantedPath } from './SignInFrame.tsx';

const INCOMPLETE = 'The response from your identity provider is incomplete. Sign in again.';

/** Callback of the identity provider: completes the sign-in or shows the error. */
export function ProviderScreen() {
  const session = useSession();
  const navigate = useNavigate();
  const [problems, setProblems] = useState<string[]>([]);
  // The response works once, so send it once even if React repeats the effect.
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    const query = new URLSearchParams(location.search);
    const given = (name: string) => query.get(name) || undefined;
    // Remove the one-time code from the URL and the history.
    history.replaceState(history.state, '', location.pathname);
    const state = given('state');
    if (!state) return setProblems([INCOMPLETE]);
    const body = { state, code: given('code'), iss: given('iss'), error: given('error') };
    session.client.signIn.complete({ body }).then(
      (user) => {
        session.begin(user);
        navigate(wantedPath(wantedAfter.get()), { replace: true });
      },
      (error: unknown) => setProblems(problemsOf(error)),
    );
  }, [session, navigate]);
  return (
    <SignInFrame title="Signing in" problems={problems} onSubmit={() => undefined}>
      {problems.length === 0 ? (
        <Text role="status">
          <Loader size="xs" mr="xs" aria-hidden />
          One moment…
        </Text>
      ) : (
        <Button component={Link} to="/admin/login" fullWidth>
          Back to login
        </Button>
      )}
    </SignInFrame>
  );
}
