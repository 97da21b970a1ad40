/** Response of a call, from fetch or XMLHttpRequest. */
export interface CallResponse {
  status: number;
  headers: { get(name: string): string | null };
  _data?: unknown;
}

/** Form, headers and progress callback of an upload. */
export interface FormUpload {
  form: FormData;
  headers: Record<string, string>;
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Posts a form with upload progress, which fetch doesn't support.
 * @returns the response, whatever its status
 * @throws Error if the server can't be reached; the signal's reason if it is aborted
 */
export function sendForm(url: string, { form, headers, onProgress, signal }: FormUpload): Promise<CallResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.responseType = 'json';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () =>
      resolve({
        status: request.status,
        headers: { get: (name) => request.getResponseHeader(name) },
        _data: request.response,
      });
    request.onerror = () => reject(new Error('The server could not be reached.'));
    request.onabort = () => reject(signal?.reason ?? new Error('The request was aborted.'));
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
