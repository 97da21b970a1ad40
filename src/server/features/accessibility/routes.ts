import { LINT_CODES } from '../../../../engine/document/lint/codes.ts';
import { CONFORMANCE_PATH } from '../../../contract/statement-path.ts';
import { everywhere } from '../../core/db/limited.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { findOrganization, statementPathOf } from '../organizations/queries.ts';
import { checkRooms, countMissing, findingsByCode } from './findings.ts';

export const accessibility: Handlers<'accessibility'> = {
  findings: async ({ db, organizationId, shownSite }) => {
    const { checked, total } = await checkRooms(db, organizationId);
    // The path depends on structures that a limited user may not see.
    const path = await statementPathOf(everywhere(db), await findOrganization(db, organizationId));
    const { origin } = await shownSite(organizationId);
    return {
      rooms_checked: checked.length,
      rooms_total: total,
      findings: findingsByCode(checked).map((found) => ({ ...found, meaning: LINT_CODES[found.code] })),
      statement_url: path && origin + path,
      report_url: origin + CONFORMANCE_PATH,
    };
  },

  missing: async ({ db, organizationId }) => {
    const { checked, total } = await checkRooms(db, organizationId);
    return { ...countMissing(checked), rooms_checked: checked.length, rooms_total: total };
  },
};
