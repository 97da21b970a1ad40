import { SendingError, type SessionAnswer } from './answer.ts';

/** What the statuses of a refusal mean for whoever sends; others are told by their number. */
const REFUSALS: Record<number, string> = {
  401: 'it refuses this stream',
  403: 'it refuses this stream',
  404: 'it does not know this stream',
  409: 'somebody else is sending to this stream',
  415: 'it does not take a camera of a browser',
  503: 'it is not ready yet',
};

/**
 * Offers a connection to a media server by WHIP: https://www.rfc-editor.org/rfc/rfc9725
 * @param address endpoint of the stream, https
 * @param offer SDP with every way to reach this browser
 * @throws SendingError when the server cannot be reached, or refuses
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
    const reason = REFUSALS[response.status] ?? `it answered ${response.status}`;
    throw new SendingError(`The platform does not take the camera: ${reason}.`);
  }
  const location = response.headers.get('location');
  const session = location ? new URL(location, response.url) : null;
  return {
    sdp: await response.text(),
    candidates: [],
    end: () => {
      // A page that is left has this request sent all the same. Nobody is left to tell when it fails.
      if (session?.protocol === 'https:')
        void fetch(session, { method: 'DELETE', credentials: 'omit', keepalive: true }).catch(() => undefined);
    },
  };
}
