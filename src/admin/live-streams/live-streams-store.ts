import { makeObservable, observableRef, runInAction } from 'mobx';
import { z } from 'zod';
import type { Client } from '../../contract/client.ts';
import { ENCODERS, type LiveStream, type LiveStreamType, liveStreamSchema } from '../../contract/entities.ts';
import { AreaStore } from '../stores/area-store.ts';

/** What the form of a live stream edits. */
export interface LiveStreamDraft {
  name: string;
  type: LiveStreamType;
  reference: string;
  /** When one is added: whether it is made on its platform. */
  makes_stream: boolean;
  new_name: string;
  encoder: (typeof ENCODERS)[number];
}

/** What the platforms are called. */
export const PLATFORM_NAMES: Record<LiveStreamType, string> = {
  wowza_live: 'Wowza',
  youtube_live: 'Youtube',
  vimeo: 'Vimeo single event',
  vimeo_live: 'Vimeo recurring event',
};

/** What the ways to send are called. */
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

/** The live streams. */
export class LiveStreamsStore extends AreaStore<LiveStream, LiveStream, LiveStreamDraft> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ search, page }) => client.liveStreams.list({ query: { search, page } }),
      read: (id) => client.liveStreams.read({ params: { id } }),
      create: ({ name, type, reference, makes_stream, new_name, encoder }) =>
        client.liveStreams.create({
          body: { name, type, ...(makes_stream ? { new_stream: { name: new_name, encoder } } : { reference }) },
        }),
      update: (id, { name, reference }, updated_at) =>
        client.liveStreams.update({ params: { id }, body: { name, reference, updated_at } }),
      remove: (id) => client.liveStreams.remove({ params: { id } }),
      draftOf: (stream) => ({
        name: stream?.name ?? '',
        type: stream?.type ?? 'wowza_live',
        reference: stream?.reference ?? '',
        makes_stream: false,
        new_name: '',
        encoder: ENCODERS[0],
      }),
      schema,
    });
    this.#client = client;
    makeObservable(this, { isChanging: observableRef });
  }

  /** Whether the platform is being told to start or stop. */
  isChanging = false;

  /**
   * Starts or stops the stream that is open.
   * @throws ApiError with the platform's reason
   */
  async change(to: 'start' | 'stop'): Promise<void> {
    if (!this.entry) return;
    const params = { id: this.entry.id };
    runInAction(() => (this.isChanging = true));
    try {
      const entry = await this.#client.liveStreams[to]({ params });
      runInAction(() => (this.entry = entry));
    } finally {
      runInAction(() => (this.isChanging = false));
    }
  }

  /** Asks the platform how the stream that is open is doing; what can't be asked now stays as it was. */
  async poll(): Promise<void> {
    const { entry } = this;
    if (!entry) return;
    try {
      const fresh = await this.#client.liveStreams.read({ params: { id: entry.id } });
      if (this.entry?.id === fresh.id) runInAction(() => (this.entry = fresh));
    } catch {
      // The next poll asks again.
    }
  }
}
