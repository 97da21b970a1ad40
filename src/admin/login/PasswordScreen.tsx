import { Anchor, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { readLinkToken } from '../frame/link-token.ts';
import { askedAddress, problemsOf, SignInFrame } from './SignInFrame.tsx';

const NEW_PASSWORD_FIELDS = ['email', 'password', 'password_confirmation'];

/** Sets a new password from an emailed link. */
export function PasswordScreen() {
  const session = useSession();
  const navigate = useNavigate();
  const link = readLinkToken(useParams().token ?? '');
  const [email, setEmail] = useState(link?.email ?? '');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [revokesKeys, setRevokesKeys] = useState(false);
  const [problems, setProblems] = useState<string[]>([]);
  const [errors, setErrors] = useState<Messages>({});
  const [isBusy, setBusy] = useState(false);

  const submit = async () => {
    if (!link) return;
    setBusy(true);
    setProblems([]);
    setErrors({});
    try {
      await session.client.users.reset({
        body: { token: link.token, email, password, password_confirmation: again, revoke_api_keys: revokesKeys },
      });
      session.forget();
      navigate('/admin/login', { replace: true });
    } catch (error) {
      setErrors(error instanceof ApiError ? error.msg : {});
      setProblems(problemsOf(error, NEW_PASSWORD_FIELDS));
      setBusy(false);
    }
  };

  const request = async () => {
    // Login redirects signed-in users, so request the new link here.
    if (!session.hasToken) return navigate('/admin/login', { state: askedAddress(email) });
    setProblems([]);
    await session.client.users.forgot({ body: { email } }).catch((error: unknown) => setProblems(problemsOf(error)));
  };

  return (
    <SignInFrame
      title="Set a new password"
      problems={link ? problems : ['This link is incomplete. Open it again from the email, or request a new one.']}
      wayOut={
        (!link || errors.token) && (
          <Button size="xs" variant="default" mt="sm" onClick={() => void request()}>
            Request a new link
          </Button>
        )
      }
      onSubmit={() => void submit()}
    >
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        value={email}
        error={errors.email?.[0]}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password"
        description="At least 10 characters."
        autoComplete="new-password"
        required
        maxLength={1024}
        value={password}
        error={errors.password?.[0]}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordInput
        label="Confirm password"
        autoComplete="new-password"
        required
        maxLength={1024}
        value={again}
        error={errors.password_confirmation?.[0]}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      <Checkbox
        label="Also remove my API keys"
        description="Programs that use them need new keys. Do this if someone else may know your password."
        checked={revokesKeys}
        onChange={(event) => setRevokesKeys(event.currentTarget.checked)}
      />
      <Button type="submit" loading={isBusy} disabled={!link} fullWidth mt="xs">
        Reset password
      </Button>
      <Anchor component={Link} to="/admin/login" size="sm" ta="center">
        Back to login
      </Anchor>
    </SignInFrame>
  );
}
