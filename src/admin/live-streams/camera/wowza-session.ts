import { z } from 'zod';
import { SendingError, type SessionAnswer } from './answer.ts';

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
