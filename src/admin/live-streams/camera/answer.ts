/** What a media server answers to the offer of a connection. */
export interface SessionAnswer {
  sdp: string;
  /** Where the server is reached, as far as that does not stand in its answer. */
  candidates: RTCIceCandidateInit[];
  /** Tells the server that nothing comes any more. */
  end(): void;
}

/** A media server that could not be reached, or refused. The message is for people. */
export class SendingError extends Error {}
