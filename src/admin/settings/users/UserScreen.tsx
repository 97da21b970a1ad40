import { Alert, Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { confirm } from '../../../ui/confirmation/confirmation-store.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { FormScreen, useIdParam } from '../../frame/FormScreen.tsx';
import { flag, words } from '../../frame/fields.ts';
import { Tag } from '../../frame/text.tsx';
import { noPolicies, PolicyMatrix } from '../PolicyMatrix.tsx';
import { LimitsField } from './LimitsField.tsx';
import { PasswordLinkDialog, USERS, UsersStore } from './UsersScreen.tsx';

/** Invites or edits a user. */
export const UserScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const [store] = useState(() => new UsersStore(session.client));
  const { draft, errors } = store;
  const navigate = useNavigate();
  const isSelf = id !== null && id === session.user?.id;
  const resetFactor = async (userId: number) => {
    const yes = await confirm({
      title: `Reset the second factor of ${store.entry?.name}?`,
      text: 'Their second factor, recovery codes and passkeys are removed, and they are signed out everywhere. They are notified by email. First make sure that they asked for it.',
      action: 'Reset second factor',
      destroys: true,
    });
    if (!yes) return;
    await session.client.secondFactor.reset({ params: { id: userId } }).catch(showProblem);
    // Keep unsaved form input.
    if (!store.isDirty) await store.open(userId);
  };
  const policyError = Object.entries(errors).find(([name]) => name.startsWith('policies'))?.[1][0];
  const limitsError = Object.entries(errors).find(([name]) => name.startsWith('limits'))?.[1][0];
  const sendLink = () => store.entry && void store.sendResetLink(store.entry).catch(showProblem);
  const closeLink = () => {
    store.closePasswordLink();
    if (id === null) navigate(USERS.path);
  };
  return (
    <>
      <FormScreen
        of={USERS}
        addTitle="Invite a user"
        name={store.entry?.name}
        store={store}
        id={id}
        after={() => (store.passwordLink ? undefined : USERS.path)}
        more={
          id !== null &&
          !isSelf && (
            <>
              {!store.entry?.is_invited && (
                <Button variant="default" onClick={sendLink}>
                  Send password link
                </Button>
              )}
              <Button variant="default" onClick={() => void resetFactor(id)}>
                Reset second factor
              </Button>
            </>
          )
        }
      >
        <Stack>
          {isSelf && <Alert color="gray">Only another administrator can change your rights.</Alert>}
          <TextInput
            label="E-mail"
            type="email"
            withAsterisk={id === null}
            description={id === null ? 'We send a link to set a password to this address.' : undefined}
            readOnly={id !== null}
            maxLength={254}
            {...words(store, 'email')}
          />
          <TextInput label="Name" withAsterisk maxLength={120} {...words(store, 'name')} />
          {id !== null && store.entry?.has_second_factor && !isSelf && (
            <Group>
              <Tag color="teal">Has a second factor</Tag>
            </Group>
          )}
          {id !== null && <Switch label="Can sign in" disabled={isSelf} {...flag(store, 'is_active')} />}
          <PolicyMatrix
            label="Rights"
            policies={draft.policies}
            grantable={session.user?.policies ?? noPolicies()}
            disabled={isSelf}
            error={policyError}
            onChange={(policies) => store.set({ policies })}
          />
          <LimitsField
            limits={draft.limits}
            disabled={isSelf}
            error={limitsError}
            onChange={(limits) => store.set({ limits })}
          />
        </Stack>
      </FormScreen>
      <PasswordLinkDialog shown={store.passwordLink} onClose={closeLink} />
    </>
  );
});
