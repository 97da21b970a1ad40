import type { Owned } from '../../core/db/column-types.ts';

/** What opens an organization's accounts on platforms elsewhere. */
export interface PlatformCredentialTable extends Owned {
  platform: string;
  name: string;
  /** The credential, sealed for its organization, platform and name. */
  sealed: string;
  /** What of it may be shown. */
  hint: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    platform_credentials: PlatformCredentialTable;
  }
}
