import { Badge } from '@mantine/core';
import { IconEdit, IconSettings } from '@tabler/icons-react';
import { runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { z } from 'zod';
import { LIVE_STREAM_ORDERS } from '../../contract/calls/live-streams.ts';
import type { Client } from '../../contract/client.ts';
import {
  ENCODERS,
  type LiveStream,
  type LiveStreamState,
  type LiveStreamType,
  liveStreamSchema,
} from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { momentText } from '../../ui/moment-text.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { ListScreen } from '../frame/ListScreen.tsx';
import { type Resource, rowRights } from '../frame/resource.ts';
import { AreaStore } from '../stores/area-store.ts';
import { chosenOrder } from '../stores/list-store.ts';

export const PLATFORM_NAMES: Record<LiveStreamType, string> = {
  wowza_live: 'Wowza',
  youtube_live: 'Youtube',
  vimeo: 'Vimeo single event',
  vimeo_live: 'Vimeo recurring event',
};

export const ENCODER_NAMES: Record<(typeof ENCODERS)[number], string> = {
  other_webrtc: 'Webcam (WebRTC)',
  other_rtmp: 'Encoder (RTMP)',
};

const schema = z
  .object({
    name: liveStreamSchema.shape.name,
    reference: z.string(),
    makes_stream: z.boolean(),
    new_name: z.string(),
  })
  .refine(({ makes_stream, reference }) => makes_stream || reference !== '', {
    path: ['reference'],
    error: 'Choose a broadcast.',
  })
  .refine(({ makes_stream, new_name }) => !makes_stream || new_name.trim() !== '', {
    path: ['new_stream.name'],
    error: 'Give the new stream a name.',
  });

const liveStreamDraftOf = (stream: LiveStream | null) => ({
  name: stream?.name ?? '',
  type: stream?.type ?? 'wowza_live',
  reference: stream?.reference ?? '',
  /** On add: whether to create it on its platform. */
  makes_stream: false,
  new_name: '',
  encoder: ENCODERS[0] as (typeof ENCODERS)[number],
});

export class LiveStreamsStore extends AreaStore<LiveStream, LiveStream, ReturnType<typeof liveStreamDraftOf>> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters }) =>
        client.liveStreams.list({ query: { search, page, sort: chosenOrder(LIVE_STREAM_ORDERS, filters) } }),
      read: (id) => client.liveStreams.read({ params: { id } }),
      create: ({ name, type, reference, makes_stream, new_name, encoder }) =>
        client.liveStreams.create({
          body: { name, type, ...(makes_stream ? { new_stream: { name: new_name, encoder } } : { reference }) },
        }),
      update: (id, { name, reference }, updated_at) =>
        client.liveStreams.update({ params: { id }, body: { name, reference, updated_at } }),
      remove: (id) => client.liveStreams.remove({ params: { id } }),
      bin: { client, entity: 'live_stream' },
      bulk: { client, action: 'liveStreams.remove', nouns: 'live streams' },
      draftOf: liveStreamDraftOf,
      schema,
    });
    this.#client = client;
  }

  /**
   * Starts or stops the open stream.
   * @throws ApiError with the platform's reason
   */
  async command(command: 'start' | 'stop'): Promise<LiveStream['state']> {
    return this.#take(await this.#client.liveStreams[command](this.#call()));
  }

  /**
   * Gets the state of the open stream from its platform.
   * @throws ApiError if the platform does not respond
   */
  async poll(): Promise<LiveStream['state']> {
    return this.#take(await this.#client.liveStreams.read(this.#call()));
  }

  #call() {
    if (!this.entry) throw new ApiError('not_found');
    return { params: { id: this.entry.id } };
  }

  #take(fresh: LiveStream): LiveStream['state'] {
    if (this.entry?.id === fresh.id) runInAction(() => (this.entry = fresh));
    return fresh.state;
  }
}

const LOOKS = {
  stopped: { label: 'Stopped', color: 'gray' },
  starting: { label: 'Starting', color: 'brass' },
  started: { label: 'Live', color: 'teal' },
} as const;

export const StateBadge = ({ state }: { state: LiveStreamState }) => (
  <Badge color={LOOKS[state].color}>{LOOKS[state].label}</Badge>
);

export const LIVE_STREAMS: Resource<LiveStream> = {
  title: 'Live streams',
  noun: 'live stream',
  nouns: 'live streams',
  area: 'live_streams',
  path: '/admin/live-streams',
  isViewed: true,
  empty: 'There are no live streams yet. A live stream plays a broadcast inside a space.',
  nameOf: ({ name }) => name,
  may: rowRights,
  rename: ({ liveStreams }, { id, updated_at }, name, stamp = updated_at) =>
    liveStreams.update({ params: { id }, body: { name, updated_at: stamp } }),
  columns: [
    {
      id: 'platform',
      label: 'Platform',
      order: 'type',
      cell: ({ type }) => (
        <Badge variant="light" color="gray">
          {PLATFORM_NAMES[type]}
        </Badge>
      ),
    },
    { id: 'state', label: 'State', order: 'state', cell: ({ state }) => <StateBadge state={state} /> },
    { id: 'edited', label: 'Edited', order: '-edited', cell: ({ updated_at }) => momentText(updated_at) },
    { id: 'editor', label: 'Edited by', cell: ({ edited_by }) => edited_by },
  ],
  removal: {},
};

export const LiveStreamsScreen = observer(() => {
  const { client } = useSession();
  const [store] = useState(() => new LiveStreamsStore(client));
  return (
    <ListScreen
      of={LIVE_STREAMS}
      store={store}
      actions={(_, to) => [
        to !== undefined && { label: 'Edit', icon: <IconEdit size={18} />, to, word: 'Edit' },
        to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
      ]}
    />
  );
});
