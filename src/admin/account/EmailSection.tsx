import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SecondFactor } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useSubmit } from '../frame/FormDialog.tsx';
import { readLinkToken } from '../frame/link-token.ts';
import { Section } from '../frame/Section.tsx';
import { useConfirmation } from './use-confirmation.tsx';

/** URL parameter of the token in an email confirmation link. */
const CARRIED = 'email';

/** Confirms a new email address once, then removes the token from the URL. */
function useOpenedLink() {
  const session = useSession();
  const [params, setParams] = useSearchParams();
  const carried = params.get(CARRIED);
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (carried === null || opened.current === carried) return;
    opened.current = carried;
    setParams({}, { replace: true });
    const link = readLinkToken(carried);
    if (!link) return showProblem(new Error('This link is incomplete. Request a new one.'));
    void session.changeEmail(link).catch(showProblem);
  }, [carried, setParams, session]);
}

/** Shows and changes the sign-in email address. */
export const EmailSection = observer(({ ways }: { ways: SecondFactor['confirm_by'] }) => {
  const session = useSession();
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { ask, dialog } = useConfirmation(ways);
  useOpenedLink();
  const { errors, isBusy, onSubmit } = useSubmit(async () => {
    const confirmation = await ask();
    if (confirmation === null) return;
    await session.client.account.askEmail({ body: { email, confirmation } });
    setSentTo(email.trim());
    setEmail('');
  }, ['email']);
  return (
    <Section title="Sign-in address">
      <form onSubmit={onSubmit} noValidate>
        <Stack maw={480}>
          <TextInput
            label="E-mail"
            type="email"
            readOnly
            description="You use this address to sign in."
            value={session.user?.email ?? ''}
          />
          <TextInput
            label="New address"
            type="email"
            autoComplete="off"
            maxLength={254}
            value={email}
            error={errors.email?.[0]}
            description="We send a link to it. Your address changes when you open the link."
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {sentTo && sentTo !== session.user?.email && (
            <Text size="sm" role="status">
              A link has been sent to {sentTo}. Open it in this browser within an hour.
            </Text>
          )}
          <Group>
            <Button type="submit" loading={isBusy} disabled={!email.trim()}>
              Change address
            </Button>
          </Group>
        </Stack>
      </form>
      {dialog}
    </Section>
  );
});
