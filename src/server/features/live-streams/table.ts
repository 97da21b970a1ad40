import type { Owned } from '../../core/db/column-types.ts';

export interface LiveStreamTable extends Owned {
  name: string;
  type: string;
  /** Id of the broadcast on its platform. */
  reference: string;
  state: string;
  encoder: string | null;
  player_hls_playback_url: string;
  webrtc_url: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    live_streams: LiveStreamTable;
  }
}
