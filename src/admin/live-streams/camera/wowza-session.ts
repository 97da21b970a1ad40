import { z } from 'zod';
import { SendingError, type SessionAnswer } from './answer.ts';

/** Which stream is sent. */
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

/** Milliseconds for which an answer is waited for. */
const WOWZA_TIMEOUT = 15_000;

/** What stands in a message; undefined where it is no answer. */
function readAnswer(data: unknown): z.output<typeof answerSchema> | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined;
  }
}

/**
 * Offers a connection to Wowza by its own messages over a socket, which it closes once the connection is agreed:
 * https://www.wowza.com/docs/how-to-use-webrtc-with-wowza-streaming-engine
 * @param address socket of the platform, wss
 * @param offer SDP with every way to reach this browser
 * @throws SendingError when the server cannot be reached, or refuses
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
    if (!answer) return refuse('The platform answered with something that is no connection.');
    if (answer.status !== 200 || !answer.sdp) {
      const reason = answer.statusDescription || `it answered ${answer.status}`;
      return refuse(`The platform does not take the camera: ${reason}.`);
    }
    // The connection ends with its media: Wowza has no message for it.
    resolve({ sdp: answer.sdp.sdp, candidates: answer.iceCandidates, end: () => undefined });
  });
  // An error is followed by this, and so is an end without an answer.
  socket.addEventListener('close', () => refuse('The platform could not be reached.'));
  return promise.finally(() => socket.close());
}
