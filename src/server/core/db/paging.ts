/** Numbers of pages beside a list. */
export interface PageMeta {
  total: number;
  page: number;
  last_page: number;
  /** Whether there are more than `total`, which were not counted. */
  is_more?: boolean;
  /** Whether a search looked at the beginnings only. */
  is_prefix_only?: boolean;
}

/** The part of a list that a query asks for. */
export interface Paging {
  page: number;
  per_page: number;
}

/** Entries that stand before a page. */
export const offsetOf = ({ page, per_page }: Paging): number => (page - 1) * per_page;

/** Numbers of pages beside a list of `total` entries. */
export const pageMeta = (total: number, { page, per_page }: Paging): PageMeta => ({
  total,
  page,
  last_page: Math.max(1, Math.ceil(total / per_page)),
});
