import type { Owned } from '../../core/db/column-types.ts';

/** Credentials of organizations for external platforms. */
export interface PlatformCredentialTable extends Owned {
  platform: string;
  name: string;
  /** The credential, sealed for its organization, platform and name. */
  sealed: string;
  /** The displayable part of the credential. */
  hint: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    platform_credentials: PlatformCredentialTable;
  }
}
