import { Alert, Stack, Switch, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useSession } from '../../../ui/session/session-context.ts';
import { FormScreen } from '../../frame/FormScreen.tsx';
import { flag, words } from '../../frame/fields.ts';
import { useIdParam } from '../../frame/use-id-param.ts';
import { PolicyMatrix } from '../PolicyMatrix.tsx';
import { createUsersStore, noPolicies } from './users-store.ts';

/** Inviting a user, or changing what they may do. */
export const UserScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const [store] = useState(() => createUsersStore(session.client));
  const { draft, errors } = store;
  const isSelf = id !== null && id === session.user?.id;
  const policyError = Object.entries(errors).find(([name]) => name.startsWith('policies'))?.[1][0];
  return (
    <FormScreen
      title={id === null ? 'Invite a user' : store.entry?.name || 'User'}
      store={store}
      id={id}
      list="/admin/settings/users"
      thing="user"
      allowed={session.may('settings', id === null ? 'create' : 'update')}
      after={() => '/admin/settings/users'}
    >
      <Stack>
        {isSelf && <Alert color="gray">Your own rights are changed by another administrator.</Alert>}
        <TextInput
          label="E-mail"
          type="email"
          withAsterisk={id === null}
          description={id === null ? 'A message with a link to set a password goes there.' : undefined}
          readOnly={id !== null}
          maxLength={254}
          {...words(store, 'email')}
        />
        <TextInput label="Name" withAsterisk maxLength={120} {...words(store, 'name')} />
        {id !== null && <Switch label="May sign in" disabled={isSelf} {...flag(store, 'is_active')} />}
        <PolicyMatrix
          label="Rights"
          policies={draft.policies}
          grantable={session.user?.policies ?? noPolicies()}
          disabled={isSelf}
          error={policyError}
          onChange={(policies) => store.set({ policies })}
        />
      </Stack>
    </FormScreen>
  );
});
