import { Alert, Anchor, Fieldset, Select, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { FEED_TYPES, type Feed } from '../../../contract/entities.ts';
import { sayMessage } from '../../../ui/language/say-message.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { FormScreen, useIdParam } from '../../frame/FormScreen.tsx';
import { flag, option, words } from '../../frame/fields.ts';
import { MESSAGES_PATH } from '../../shell/menu.ts';
import { createFeedsStore, FEED_NAMES, FEEDS } from './FeedsScreen.tsx';

/** First error message of a list or one of its entries. */
const listError = (errors: Readonly<Record<string, readonly string[]>>, name: string): string | undefined =>
  Object.entries(errors).find(([field]) => field.replace(/^moderation\./, '').split('.')[0] === name)?.[1][0];

/** Moderation rules of a feed, and who is notified. */
const ModerationFields = observer(({ store }: { store: ReturnType<typeof createFeedsStore> }) => {
  const { draft, errors, entry } = store;
  const tags = (name: 'blocked_words' | 'notify') => ({
    value: draft[name],
    error: listError(errors, name),
    onChange: (value: string[]) => store.set({ [name]: value }),
    acceptValueOnBlur: true,
    splitChars: [',', ';', '\n'],
  });
  return (
    <Fieldset legend="Moderation">
      <Stack>
        {entry && (
          <Text size="sm">
            <Anchor component={Link} to={`${MESSAGES_PATH}?feed=${entry.id}`}>
              Messages of this feed
            </Anchor>
            {entry.waiting_count > 0 && ` · ${entry.waiting_count} waiting for approval`}
          </Text>
        )}
        <Switch
          label="Hold for approval"
          description="Visitors’ messages stay hidden until someone approves them."
          {...flag(store, 'hold')}
        />
        <Switch
          label="Require proof of work"
          description="Holds messages without it. Browsers compute it automatically; most spam programs don’t."
          {...flag(store, 'hold_unproven')}
        />
        <TagsInput
          label="Blocked words"
          description="Messages with one of these words are held. Whole words; case and accents are ignored. Press Enter after each."
          maxTags={500}
          {...tags('blocked_words')}
        />
        <TagsInput
          label="Send an e-mail to"
          description="When messages are waiting, at most once in 15 minutes."
          placeholder={draft.notify.length === 0 ? 'name@example.com' : ''}
          maxTags={20}
          {...tags('notify')}
        />
      </Stack>
    </Fieldset>
  );
});

/** Whether a feed's redirect URL is safe: another origin over https. */
const isSafe = (address: string): boolean => /^https:\/\/[^/]/.test(address) && URL.canParse(address);

/** Adds or edits a feed. */
export const FeedScreen = observer(() => {
  const { client } = useSession();
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
    return FEEDS.path;
  };

  return (
    <FormScreen of={FEEDS} name={entry?.name} store={store} id={id} after={after}>
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
            {sayMessage(entry.problem)} Items loaded earlier are still shown.
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
