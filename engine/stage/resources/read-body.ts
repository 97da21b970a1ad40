import type { OnArrival } from './load-progress.ts';

/** Reads a response body with progress. */
export async function readBody({ body, headers }: Response, onArrival?: OnArrival): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // Content-Length is the compressed size, which is less than what arrives.
  const total = headers.has('content-encoding') ? 0 : Number(headers.get('content-length'));
  let loaded = 0;
  const reader = body!.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    parts.push(step.value);
    loaded += step.value.length;
    onArrival?.({ loaded, total });
  }
  return new Blob(parts, { type: headers.get('content-type') ?? '' });
}
