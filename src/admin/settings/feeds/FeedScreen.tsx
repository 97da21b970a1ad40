import { Alert, Anchor, Select, Stack, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { FEED_TYPES, type Feed } from '../../../contract/entities.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { FormScreen } from '../../frame/FormScreen.tsx';
import { option, words } from '../../frame/fields.ts';
import { useIdParam } from '../../frame/use-id-param.ts';
import { createFeedsStore, FEED_NAMES } from './feeds-store.ts';
import { ModerationFields } from './ModerationFields.tsx';

/** Whether a feed's redirect URL is safe: another origin over https. */
const isSafe = (address: string): boolean => /^https:\/\/[^/]/.test(address) && URL.canParse(address);

/** Adds or edits a feed. */
export const FeedScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const id = useIdParam();
  const [store] = useState(() => createFeedsStore(client));
  const [available, setAvailable] = useState<readonly string[]>(['local', 'picdrop']);
  useEffect(() => {
    client.modules.list().then(
      (list) => setAvailable(list.filter(({ type }) => type === 'feed').map(({ module }) => module)),
      () => undefined,
    );
  }, [client]);
  const { draft, errors, entry } = store;

  const after = ({ redirect_url }: Feed): string => {
    if (id === null && redirect_url && isSafe(redirect_url)) location.assign(redirect_url);
    return '/admin/settings/feed';
  };

  return (
    <FormScreen
      title={id === null ? 'Add feed' : entry?.name || 'Feed'}
      store={store}
      id={id}
      list="/admin/settings/feed"
      thing="feed"
      allowed={session.may('settings', id === null ? 'create' : 'update')}
      after={after}
    >
      <Stack>
        {entry && !entry.is_connected && (
          <Alert color="brass" title="This feed is not connected">
            {entry.redirect_url && isSafe(entry.redirect_url) ? (
              <Anchor href={entry.redirect_url}>Allow it at {FEED_NAMES[entry.type]}</Anchor>
            ) : (
              "It can't be connected at the moment."
            )}
          </Alert>
        )}
        {entry?.problem && (
          <Alert color="red" title="The items could not be loaded">
            {entry.problem} Items loaded earlier are still shown.
          </Alert>
        )}
        <Select
          label="Type"
          description={
            id === null && !available.includes('instagram')
              ? 'Instagram is not set up: its app ID and secret are missing. Enter them under Settings, Platforms, or ask the server operator.'
              : undefined
          }
          allowDeselect={false}
          disabled={id !== null}
          data={FEED_TYPES.map((type) => ({
            value: type,
            label: FEED_NAMES[type],
            disabled: type !== draft.type && !available.includes(type),
          }))}
          {...option(store, 'type')}
        />
        <TextInput label="Name" withAsterisk maxLength={255} {...words(store, 'name')} />
        {draft.type === 'picdrop' && (
          <TextInput
            label="Feed url"
            withAsterisk
            type="url"
            description="An RSS, Atom or JSON feed."
            placeholder="https://www.example.com/feed.xml"
            maxLength={2000}
            {...words(store, 'feed_url')}
            error={errors.feed_url?.[0] ?? errors['config.feed_url']?.[0]}
          />
        )}
        {draft.type === 'local' && <ModerationFields store={store} />}
      </Stack>
    </FormScreen>
  );
});
