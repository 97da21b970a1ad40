import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Passkey, SecondFactor } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useSubmit } from '../frame/FormDialog.tsx';
import { Loaded, useLoaded } from '../frame/Loaded.tsx';
import { LoadingRows } from '../frame/Screen.tsx';
import { Section } from '../frame/Section.tsx';
import { Quiet } from '../frame/text.tsx';
import classes from './account.module.css';
import { createPasskey, hasPasskeys } from './passkey.ts';
import { useConfirmation } from './use-confirmation.tsx';

/** Default name of a new passkey. */
const FIRST_NAME = 'Passkey';

function PasskeyRow({ passkey, onChanged, onRemove }: { passkey: Passkey; onChanged(): void; onRemove(): void }) {
  const { client } = useSession();
  const { id, name, created_at, last_used_at } = passkey;
  const [typed, setTyped] = useState<string | null>(null);
  const { errors, isBusy, onSubmit } = useSubmit(async () => {
    await client.passkeys.rename({ params: { id }, body: { name: typed ?? name } });
    setTyped(null);
    onChanged();
  }, ['name']);
  return (
    <li className={classes.row}>
      {typed === null ? (
        <>
          <div className={classes.what}>
            <Text fw={500}>{name}</Text>
            <Quiet>
              added {momentText(created_at)}
              {last_used_at && ` · last used ${momentText(last_used_at)}`}
            </Quiet>
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={40}
            aria-label={`Rename: ${name}`}
            onClick={() => setTyped(name)}
          >
            <IconPencil size={18} />
          </ActionIcon>
          <ActionIcon variant="subtle" color="red" size={40} aria-label={`Remove: ${name}`} onClick={onRemove}>
            <IconTrash size={18} />
          </ActionIcon>
        </>
      ) : (
        <form onSubmit={onSubmit} noValidate>
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Name"
              autoFocus
              maxLength={120}
              value={typed}
              error={errors.name?.[0]}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" loading={isBusy}>
              Save
            </Button>
            <Button variant="default" onClick={() => setTyped(null)}>
              Cancel
            </Button>
          </Group>
        </form>
      )}
    </li>
  );
}

/** The user's passkeys: add, rename, remove. */
export function PasskeysSection({
  ways,
  onChanged,
}: {
  /** Available ways to confirm a change. */
  ways: SecondFactor['confirm_by'];
  onChanged(): void;
}) {
  const { client } = useSession();
  const passkeys = useLoaded(({ passkeys }) => passkeys.list());
  const [isBusy, setBusy] = useState(false);
  const { ask, dialog } = useConfirmation(ways);

  const changed = async () => {
    await passkeys.load();
    onChanged();
  };
  const confirmed = async (change: (confirmation: string) => Promise<unknown>) => {
    const confirmation = await ask();
    if (confirmation === null) return;
    setBusy(true);
    await change(confirmation).catch(showProblem);
    setBusy(false);
    await changed();
  };
  const add = () =>
    confirmed(async (confirmation) => {
      const { options } = await client.passkeys.begin({ body: { confirmation } });
      const answer = await createPasskey(options);
      await client.passkeys.add({ body: { name: FIRST_NAME, answer } });
    });
  const remove = ({ id }: Passkey) =>
    confirmed((confirmation) => client.passkeys.remove({ params: { id }, body: { confirmation } }));

  return (
    <Section
      title="Passkeys"
      action={
        hasPasskeys() && (
          <Button variant="default" loading={isBusy} onClick={() => void add()}>
            Add passkey
          </Button>
        )
      }
    >
      <Quiet>
        A passkey signs you in with a fingerprint, face or PIN instead of a password and a code.
        {!hasPasskeys() && " This browser doesn't support passkeys."}
      </Quiet>
      <Loaded of={passkeys} what="The passkeys" loading={<LoadingRows count={1} />}>
        {(rows) =>
          rows.length > 0 && (
            <Stack component="ul" className={classes.list} gap={0} aria-label="Passkeys">
              {rows.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  onChanged={() => void changed()}
                  onRemove={() => void remove(passkey)}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {dialog}
    </Section>
  );
}
