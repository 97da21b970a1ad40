import { z } from 'zod';
import { href, id, line, text } from '../../../engine/document/fields.ts';
import { ACCESSIBILITY_CODES } from '../../../engine/document/lint/accessibility-codes.ts';
import { calendarDate } from './calendar-date.ts';

/** Kinds of accessibility statements. */
const STATEMENT_KINDS = ['none', 'public', 'private'] as const;

const optionalEmail = z
  .string()
  .trim()
  .max(254, 'Use at most 254 characters.')
  .refine((value) => value === '' || z.email().safeParse(value).success, 'Enter an e-mail address.');

/** The parts of an accessibility statement that only the organization knows. */
export const statementSchema = z
  .strictObject({
    kind: z
      .enum(STATEMENT_KINDS)
      .describe(
        'Form of the statement: `public` for public sector bodies, `private` for services under the European Accessibility Act, `none` for no statement.',
      ),
    body_name: line().describe('Legal name of the body or company; empty for the name of the organization.'),
    email: optionalEmail.describe('E-mail address for feedback on accessibility.'),
    phone: line(64)
      .regex(/^[\d\s()+/.-]*$/, 'Use digits, spaces and + ( ) / . - only.')
      .describe('Phone number for feedback on accessibility.'),
    contact_url: href.describe('URL of a contact form for feedback on accessibility.'),
    enforcement_name: line().describe(
      'Name of the enforcement body (public) or market surveillance authority (private).',
    ),
    enforcement_url: href.describe('URL of that body or authority.'),
    limitations: text(5000).describe('Further known limitations, one per line.'),
    reviewed_on: z
      .union([calendarDate, z.literal('')], 'Use a date such as 2030-01-31.')
      .describe('Date of the last review, YYYY-MM-DD; empty if not reviewed.'),
  })
  .refine(({ kind, email, phone, contact_url }) => kind === 'none' || Boolean(email || phone || contact_url), {
    path: ['email'],
    error: 'Enter an e-mail address, a phone number or a contact URL: a statement needs a contact.',
  });
export type Statement = z.output<typeof statementSchema>;

/** The statement of an organization without one. */
export const NO_STATEMENT: Statement = {
  kind: 'none',
  body_name: '',
  email: '',
  phone: '',
  contact_url: '',
  enforcement_name: '',
  enforcement_url: '',
  limitations: '',
  reviewed_on: '',
};

const findingsInRoomSchema = z.object({
  id: id.describe('Space ID.'),
  name: line().describe('Name of the space.'),
  count: z.int().positive().describe('Number of findings in the space.'),
});

const checkedSchema = z.object({
  rooms_checked: z
    .int()
    .min(0)
    .describe(
      'Number of checked spaces, the most recently changed first. A call checks 200 that changed; the next ones more.',
    ),
  rooms_total: z.int().min(0).describe('Number of spaces. The 5,000 most recently changed ones can be checked.'),
});

/** Missing alternatives in an organization's spaces. */
export const missingAlternativesSchema = checkedSchema.extend({
  count: z.int().min(0).describe('Number of images, panoramas and media without an alternative or a transcript.'),
  rooms: z.int().min(0).describe('Number of spaces with any.'),
});

/** What assistive technology can't present in an organization's spaces. */
export const accessibilitySchema = checkedSchema.extend({
  findings: z
    .array(
      z.object({
        code: z.enum(ACCESSIBILITY_CODES).describe('Code of the linter.'),
        meaning: z.string().describe('Meaning of the code.'),
        count: z.int().positive().describe('Number of findings in all checked spaces.'),
        rooms: z.array(findingsInRoomSchema).describe('Spaces with such findings, most findings first.'),
      }),
    )
    .describe('Findings by code; codes without findings are omitted.'),
  statement_url: z.string().describe('Public URL of the accessibility statement; empty if the organization has none.'),
  report_url: z.string().describe("Public URL of the product's conformance report."),
});
export type Accessibility = z.output<typeof accessibilitySchema>;
