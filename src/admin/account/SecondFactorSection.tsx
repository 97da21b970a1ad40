import { Alert, Box, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SecondFactor } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { CopyValue } from '../frame/CopyValue.tsx';
import { useForm } from '../frame/FormDialog.tsx';
import { words } from '../frame/fields.ts';
import { type LoadedValue, useLoaded } from '../frame/Loaded.tsx';
import { QrCode } from '../frame/QrCode.tsx';
import { Failed, LoadingRows, Screen } from '../frame/Screen.tsx';
import { Section } from '../frame/Section.tsx';
import { Quiet, Tag } from '../frame/text.tsx';
import classes from './account.module.css';
import { useConfirmation } from './use-confirmation.tsx';

/** The only screen for users who must set up a second factor first. */
export function SetUpScreen() {
  const session = useSession();
  const factor = useSecondFactor();
  return (
    <Box component="main" p={{ base: 'md', sm: 'xl' }} maw={760} mx="auto">
      <Screen title="Set up a second factor" narrow>
        <Alert color="brass">Your organization requires a second factor. Set one up to continue.</Alert>
        <SecondFactorSection factor={factor} onKept={() => session.haveSecondFactor()} />
        <Group>
          <Button variant="subtle" onClick={() => void session.logout()}>
            Logout
          </Button>
        </Group>
      </Screen>
    </Box>
  );
}

export const useSecondFactor = () => useLoaded(({ secondFactor }) => secondFactor.read());

/** Recovery codes, shown once. */
function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const text = codes.join('\n');
  return (
    <Alert color="brass" title="Save these recovery codes" role="status">
      <Stack>
        <Text size="sm">
          Each works once in place of a code from the app, for example if you lose your phone. They are not shown again.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" component="ul" className={classes.list}>
          {codes.map((code) => (
            <li key={code}>
              <Code fz="sm">{code}</Code>
            </li>
          ))}
        </SimpleGrid>
        <Group gap="sm">
          <CopyValue value={text} hasIcon={false} size="xs" />
          <Button
            component="a"
            variant="default"
            size="xs"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="enfilade-recovery-codes.txt"
          >
            Download
          </Button>
          <Button size="xs" onClick={onKept}>
            I have saved them
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** A secret in groups of four characters, for typing. */
const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** The secret as QR code and text, and the field for the first code. */
function SetUp({
  secret,
  uri,
  onOn,
  onCancel,
}: {
  secret: string;
  uri: string;
  onOn(codes: string[]): void;
  onCancel(): void;
}) {
  const { client } = useSession();
  const form = useForm(
    { code: '' },
    async (body) => onOn((await client.secondFactor.turnOn({ body })).recovery_codes),
    ['code'],
  );
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack maw={480}>
        <Text size="sm">
          Scan this with an authenticator app, such as the one in your phone or password manager, and enter the code it
          shows.
        </Text>
        <QrCode text={uri} label="QR code of the secret" />
        <Text size="sm">
          Or type the secret: <Code>{grouped(secret)}</Code>
        </Text>
        <TextInput
          label="Code"
          autoComplete="one-time-code"
          inputMode="numeric"
          maw={200}
          maxLength={40}
          {...words(form, 'code')}
        />
        <Group>
          <Button type="submit" loading={form.isBusy} disabled={!form.draft.code}>
            Turn on
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Sets up or removes the user's second factor and recovery codes. */
export function SecondFactorSection({
  factor: loaded,
  onKept,
}: {
  factor: LoadedValue<SecondFactor>;
  /** Called when the user has saved new recovery codes. */
  onKept?(): void;
}) {
  const { client } = useSession();
  const { value: factor, load } = loaded;
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { ask, dialog } = useConfirmation(factor?.confirm_by ?? []);

  const confirmed = async (change: (confirmation: string) => Promise<unknown>) => {
    const confirmation = await ask();
    if (confirmation === null) return;
    await change(confirmation).catch(showProblem);
    await load();
  };
  const begin = () =>
    confirmed(async (confirmation) => setSecret(await client.secondFactor.begin({ body: { confirmation } })));
  const makeCodes = () =>
    confirmed(async (confirmation) =>
      setCodes((await client.secondFactor.makeCodes({ body: { confirmation } })).recovery_codes),
    );
  const remove = () => confirmed((confirmation) => client.secondFactor.remove({ body: { confirmation } }));
  const turnedOn = (made: string[]) => {
    setSecret(null);
    setCodes(made);
    void load();
  };
  const kept = () => {
    setCodes(null);
    onKept?.();
  };

  return (
    <Section title="Second factor" action={factor?.is_on && <Tag color="teal">On</Tag>}>
      {factor === undefined && <LoadingRows count={1} />}
      {factor === null && <Failed what="The second factor could not be loaded" onRetry={() => void load()} />}
      {factor && !factor.is_on && !secret && (
        <>
          <Quiet>
            With a second factor, signing in with your password also requires a code from an app on your phone.
          </Quiet>
          <Group>
            <Button onClick={() => void begin()}>Set up</Button>
          </Group>
        </>
      )}
      {secret && <SetUp {...secret} onOn={turnedOn} onCancel={() => setSecret(null)} />}
      {codes && <RecoveryCodes codes={codes} onKept={kept} />}
      {factor?.is_on && !codes && (
        <>
          <Quiet>
            A code of your app is asked for when you sign in with your password.{' '}
            {factor.recovery_codes === 1 ? '1 recovery code is' : `${factor.recovery_codes} recovery codes are`} left.
          </Quiet>
          <Group>
            <Button variant="default" onClick={() => void makeCodes()}>
              Create recovery codes
            </Button>
            <Button variant="default" onClick={() => void remove()}>
              Remove second factor
            </Button>
          </Group>
        </>
      )}
      {dialog}
    </Section>
  );
}
