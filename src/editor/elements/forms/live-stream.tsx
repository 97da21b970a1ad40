import { IconBroadcast } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { EntrySelect } from '../../../ui/EntrySelect.tsx';
import { useDraft } from '../../fields/contexts.ts';
import { Field, Fields } from '../../fields/Field.tsx';
import { useEditor } from '../../session/editor-context.ts';
import type { ElementForm } from '../parts/form.ts';
import { SettingsFields } from '../parts/SettingsFields.tsx';

const LIVE_PLATFORMS = {
  vimeo: 'Vimeo single event',
  vimeo_live: 'Vimeo recurring event',
  wowza_live: 'Wowza',
  youtube_live: 'Youtube',
};

const Content = observer(() => {
  const draft = useDraft();
  const { client } = useEditor();
  const { live_stream_id } = (draft.element as ElementOf<'live_stream'>).config;
  const find = async (search: string) =>
    (await client.liveStreams.list({ query: { ...(search && { search }), per_page: 100 } })).data;
  const isChosen = live_stream_id !== null;
  const choose = async (id: string | null) => {
    const chosen = id === null ? undefined : (await find('')).find((stream) => String(stream.id) === id);
    draft.set({
      'config.live_stream_id': chosen?.id ?? null,
      ...(chosen && {
        'config.type': chosen.type,
        'config.id': chosen.reference,
        'config.src': chosen.player_hls_playback_url,
      }),
    });
  };
  return (
    <>
      <EntrySelect
        label="Live stream"
        placeholder="None: the platform and id below count"
        find={find}
        chosen={isChosen ? { id: live_stream_id, name: `Live stream ${live_stream_id}` } : null}
        value={isChosen ? String(live_stream_id) : null}
        error={draft.errors['config.live_stream_id']}
        onChange={(id) => void choose(id)}
      />
      <Field path="config.type" label="Platform" names={LIVE_PLATFORMS} isReadOnly={isChosen} />
      <Field path="config.id" isReadOnly={isChosen} />
      <Field path="config.src" label="HLS address" isReadOnly={isChosen} />
      <Fields paths={['config.muted', 'config.fullscreen']} />
    </>
  );
});

export const form: ElementForm = { icon: IconBroadcast, tabs: { Content, Settings: SettingsFields } };
