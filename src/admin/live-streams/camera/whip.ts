import { SendingError, type SessionAnswer } from './answer.ts';

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
