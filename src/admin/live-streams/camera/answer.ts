/** A media server's response to an SDP offer. */
export interface SessionAnswer {
  sdp: string;
  /** ICE candidates that are not in the answer. */
  candidates: RTCIceCandidateInit[];
  /** Ends the session on the server. */
  end(): void;
}

/** A media server is unreachable or refused. The message is user-facing. */
export class SendingError extends Error {}
