/** Paging information of a list. */
export interface PageMeta {
  total: number;
  page: number;
  last_page: number;
  /** Whether there are more than `total` entries; the rest was not counted. */
  is_more?: boolean;
  /** Whether the search matched prefixes only. */
  is_prefix_only?: boolean;
}

/** Requested page of a list. */
export interface Paging {
  page: number;
  per_page: number;
}

/** Number of entries before a page. */
export const offsetOf = ({ page, per_page }: Paging): number => (page - 1) * per_page;

/** Paging information for a list of `total` entries. */
export const pageMeta = (total: number, { page, per_page }: Paging): PageMeta => ({
  total,
  page,
  last_page: Math.max(1, Math.ceil(total / per_page)),
});
