import { ActionIcon, Button, Center, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { checkInPath } from '../../contract/check-in-link.ts';
import type { Client } from '../../contract/client.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { numberText } from '../../ui/language/say.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { MomentField } from '../access-tokens/MomentField.tsx';
import { FormDialog } from '../frame/FormDialog.tsx';
import { words } from '../frame/fields.ts';
import { OnceDialog } from '../frame/OnceDialog.tsx';
import { QrCode } from '../frame/QrCode.tsx';
import { Quiet } from '../frame/text.tsx';

type Links = Awaited<ReturnType<Client['checkIn']['links']>>;

/** Check-in links of a structure: staff open them on their phones to scan access tokens. */
export function CheckInCard({ endpointId }: { endpointId: number }) {
  const session = useSession();
  const { client } = session;
  const [found, setFound] = useState<Links | null>(null);
  const [made, setMade] = useState<string | null>(null);
  const [isAdding, { open, close }] = useDisclosure();
  const load = useCallback(
    () => client.checkIn.links({ params: { id: endpointId } }).then(setFound, showProblem),
    [client, endpointId],
  );
  useEffect(() => void load(), [load]);
  if (!found) return null;
  const { links, checked_in, total } = found;
  const revoke = async ({ id, name }: Links['links'][number]) => {
    const text = 'Phones that opened this link stop working immediately.';
    if (!(await confirm({ title: `Revoke “${name}”?`, text, action: 'Revoke', destroys: true }))) return;
    try {
      await client.checkIn.remove({ params: { id } });
      await load();
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <Stack>
      <Text size="sm">
        {numberText(checked_in)} of {numberText(total)} checked in
      </Text>
      {links.map((link) => (
        <Group key={link.id} justify="space-between" wrap="nowrap">
          <div>
            <Text size="sm" fw={500}>
              {link.name}
            </Text>
            <Quiet>
              {link.expires_at ? `Until ${momentText(link.expires_at)}` : `Added ${momentText(link.created_at)}`}
            </Quiet>
          </div>
          {session.may('access_tokens', 'delete') && (
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`Revoke ${link.name}`}
              onClick={() => void revoke(link)}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {session.may('access_tokens', 'create') && (
        <div>
          <Button variant="default" size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            Add check-in link
          </Button>
        </div>
      )}
      {isAdding && (
        <FormDialog
          title="Add a check-in link"
          centered
          initial={{ name: '', expires_at: null as string | null }}
          action="Add"
          isComplete={({ name }) => name.trim() !== ''}
          onSubmit={async (body) => {
            const { token } = await client.checkIn.create({ params: { id: endpointId }, body });
            setMade(session.addressOf(checkInPath(token)));
            close();
            await load();
          }}
          onClose={close}
        >
          {(form) => (
            <>
              <TextInput
                label="Name"
                withAsterisk
                description="Such as the entrance."
                maxLength={120}
                {...words(form, 'name')}
              />
              <MomentField
                label="Valid until"
                description="Leave empty for no end date."
                value={form.draft.expires_at}
                error={form.errors.expires_at?.[0]}
                onChange={(expires_at) => form.set({ expires_at })}
              />
            </>
          )}
        </FormDialog>
      )}
      {made && (
        <OnceDialog
          title="Check-in link"
          value={made}
          copy={{ label: 'Copy link' }}
          closeOnEscape={false}
          withCloseButton={false}
          onClose={() => setMade(null)}
        >
          <Text size="sm">
            Scan this code with the phones at the entrance, or copy the link. It is shown only now; anyone who has it
            can check in guests.
          </Text>
          <Center>
            <QrCode text={made} label="QR code of the check-in link" />
          </Center>
          <Text size="sm" ta="center" style={{ overflowWrap: 'anywhere' }}>
            {made}
          </Text>
        </OnceDialog>
      )}
    </Stack>
  );
}
