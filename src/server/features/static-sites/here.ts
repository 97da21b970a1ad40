import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { OwnRight } from '../../core/secrets/own-rights.ts';

/** A response of this server to itself. */
export interface OwnResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  /** The body; it has to be read or destroyed. */
  body: Readable;
}

/** This server as a static site sees it, without the network. */
export interface Here {
  /** Requests a path, with its query. */
  get(url: string, accept?: string): Promise<OwnResponse>;
  /** Ends the right of the requests. */
  end(): void;
}

declare module '../../core/http/call-context.ts' {
  interface CallContext {
    /** Requests pages and files of this server with a right of its own. */
    openHere(right: OwnRight): Here;
  }
}
