import type { Call } from '../../src/contract/call.ts';
import { API_PREFIX } from '../../src/contract/calls.ts';
import type { ApiApp } from './api-app.ts';
import type { CallRequest } from './call-requests.ts';

/** Sends a request of a call to a server under a host name. @param token of the sender; null for nobody */
export async function injectCall(
  { app }: ApiApp,
  { method, path: template }: Call,
  { params = {}, query, body, form, headers }: CallRequest,
  { host, token }: { host: string; token?: string | null | undefined },
) {
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const encoded = form && new Request('http://x', { method: 'POST', body: form });
  return app.inject({
    method,
    url: API_PREFIX + path + (query ? `?${query}` : ''),
    headers: {
      host,
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(encoded && { 'content-type': encoded.headers.get('content-type')! }),
    },
    ...(encoded
      ? { payload: Buffer.from(await encoded.arrayBuffer()) }
      : body !== undefined && { payload: body as object }),
  });
}
