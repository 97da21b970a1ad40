import { Anchor, Fieldset, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { flag } from '../../frame/fields.ts';
import { MESSAGES_PATH } from '../../shell/menu.ts';
import type { createFeedsStore } from './feeds-store.ts';

/** First error message of a list or one of its entries. */
const listError = (errors: Readonly<Record<string, readonly string[]>>, name: string): string | undefined =>
  Object.entries(errors).find(([field]) => field.replace(/^moderation\./, '').split('.')[0] === name)?.[1][0];

/** Moderation rules of a feed, and who is notified. */
export const ModerationFields = observer(({ store }: { store: ReturnType<typeof createFeedsStore> }) => {
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
