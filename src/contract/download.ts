import { ofetch } from 'ofetch';
import type { Call } from './call.ts';
import { type ClientOptions, callPathOf, errorOf } from './client.ts';

type FileCall = Call & { download: string };

/** Streams a file from the server without buffering it. */
export type Download = (
  definition: FileCall,
  params: Record<string, string | number>,
  query?: Record<string, string>,
) => Promise<ReadableStream<Uint8Array>>;

/**
 * Creates a function that streams the file responses of calls; the client returns them as one text.
 * @returns a function that throws ApiError if the response is an error
 */
export const createDownload =
  ({ origin, token }: ClientOptions): Download =>
  async (definition, params, query) => {
    const current = token?.();
    const { ok, status, _data } = await ofetch.raw<unknown, 'stream'>(origin + callPathOf(definition.path, params), {
      query,
      headers: current ? { authorization: `Bearer ${current}` } : {},
      responseType: 'stream',
      retry: 0,
      ignoreResponseError: true,
    });
    if (ok && _data) return _data;
    throw errorOf(status, await new Response(_data).json().catch(() => null));
  };
