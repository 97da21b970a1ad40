import { z } from 'zod';

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

/** Messages for WHIP error statuses; others show the status. */
const REFUSALS: Record<number, string> = {
  401: 'access denied',
  403: 'access denied',
  404: 'unknown stream',
  409: 'another device is sending to this stream',
  415: 'cameras in a browser are not supported',
  503: 'not ready yet',
};

/**
 * Offers a connection to a media server over WHIP: https://www.rfc-editor.org/rfc/rfc9725
 * @param address https endpoint of the stream
 * @param offer SDP with all ICE candidates
 * @throws SendingError if the server is unreachable or refuses
 */
export async function offerByWhip(address: string, offer: string, signal: AbortSignal): Promise<SessionAnswer> {
  let response: Response;
  try {
    response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp' },
      body: offer,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
  } catch {
    signal.throwIfAborted();
    throw new SendingError('The platform could not be reached.');
  }
  if (response.status !== 201) {
    const reason = REFUSALS[response.status] ?? `status ${response.status}`;
    throw new SendingError(`The platform rejected the camera: ${reason}.`);
  }
  const location = response.headers.get('location');
  const session = location ? new URL(location, response.url) : null;
  return {
    sdp: await response.text(),
    candidates: [],
    end: () => {
      // `keepalive` sends the request even if the page unloads. Errors are ignored: nobody is left to see them.
      if (session?.protocol === 'https:')
        void fetch(session, { method: 'DELETE', credentials: 'omit', keepalive: true }).catch(() => undefined);
    },
  };
}

/** Identifies the stream. */
export interface WowzaStream {
  application: string;
  name: string;
}

const answerSchema = z.object({
  status: z.number(),
  statusDescription: z.string().default(''),
  sdp: z.object({ sdp: z.string() }).optional(),
  iceCandidates: z
    .array(z.object({ candidate: z.string(), sdpMid: z.string().optional(), sdpMLineIndex: z.number().optional() }))
    .default([]),
});

/** Response timeout in milliseconds. */
const WOWZA_TIMEOUT = 15_000;

/** Parses a message; undefined if it is no answer. */
function readAnswer(data: unknown): z.output<typeof answerSchema> | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined;
  }
}

/**
 * Offers a connection to Wowza over a WebSocket, which closes once the connection is negotiated:
 * https://www.wowza.com/docs/how-to-use-webrtc-with-wowza-streaming-engine
 * @param address wss URL of the platform
 * @param offer SDP with all ICE candidates
 * @throws SendingError if the server is unreachable or refuses
 */
export function offerToWowza(
  address: string,
  offer: string,
  { application, name }: WowzaStream,
  signal: AbortSignal,
): Promise<SessionAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SessionAnswer>();
  const socket = new WebSocket(address);
  const refuse = (message: string) => reject(new SendingError(message));
  const given = AbortSignal.any([signal, AbortSignal.timeout(WOWZA_TIMEOUT)]);
  given.addEventListener('abort', () => refuse('The platform did not answer in time.'), { once: true });
  socket.addEventListener('open', () => {
    const streamInfo = { applicationName: application, streamName: name, sessionId: '[empty]' };
    const sdp = { type: 'offer', sdp: offer };
    socket.send(JSON.stringify({ direction: 'publish', command: 'sendOffer', streamInfo, sdp, userData: {} }));
  });
  socket.addEventListener('message', ({ data }) => {
    const answer = readAnswer(data);
    if (!answer) return refuse('The platform sent an invalid answer.');
    if (answer.status !== 200 || !answer.sdp) {
      const reason = answer.statusDescription || `status ${answer.status}`;
      return refuse(`The platform rejected the camera: ${reason}.`);
    }
    // The session ends with its media: Wowza has no message for it.
    resolve({ sdp: answer.sdp.sdp, candidates: answer.iceCandidates, end: () => undefined });
  });
  // `close` follows every error, and a close without an answer.
  socket.addEventListener('close', () => refuse('The platform could not be reached.'));
  return promise.finally(() => socket.close());
}
