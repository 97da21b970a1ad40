import type { Id, Owned, Stamp } from '../../core/db/column-types.ts';

/** Further host names of organizations, besides the primary one in `organizations.host`. */
export interface OrganizationHostTable extends Owned {
  /** Unique, and different from every primary host name. */
  host: string;
}

/** Usage of organizations by month, for billing. It has no personal data, and stays when an organization is deleted. */
export interface OrganizationMonthTable {
  id: Id;
  /** Not a reference: ids of deleted organizations aren't reused. */
  organization_id: number;
  /** The month in UTC, such as 2026-11. */
  month: string;
  /** The most bytes of the media library that were measured in the month. */
  storage: number;
  visits: number;
  /** Users who were seen in the month. */
  active_users: number;
  /** The most users who could sign in. */
  seats: number;
  /** E-mails of mailings that were sent. */
  emails: number;
  updated_at: Stamp;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    organization_hosts: OrganizationHostTable;
    organization_months: OrganizationMonthTable;
  }
}
