import { ACCESSIBILITY_CODES } from '../../../../engine/document/lint/accessibility-codes.ts';
import { unmetRows } from '../../../contract/accessibility/judge.ts';
import { remarksOf } from '../../../contract/accessibility/report.ts';
import type { Statement } from '../../../contract/entities.ts';
import { CONFORMANCE_PATH } from '../../../contract/statement-path.ts';
import { fillText } from '../../../contract/viewer-texts/fill-text.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import type { PublishedFindings } from '../../features/accessibility/findings.ts';
import { textPage } from '../text-twin/twin-page.ts';
import { de } from './texts/de.ts';
import { en, type StatementTexts } from './texts/en.ts';
import { fr } from './texts/fr.ts';
import { nl } from './texts/nl.ts';

/** Statements are in these languages; visitors with another one get English. */
const STATEMENT_TEXTS: Partial<Record<Language, StatementTexts>> = { en, nl, de, fr };

/** Contents of a statement. */
export interface StatementFacts {
  statement: Statement;
  /** Name of the organization, if the statement names no body. */
  name: string;
  /** Scheme, host and port of the organization's site. */
  site: string;
  /** Findings in published rooms. */
  findings: PublishedFindings;
}

const link = (url: string, text: string): string => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;
const list = (items: readonly string[]): string => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

const inEnglish = (text: string): string => `<span lang="en" dir="ltr">${escapeHtml(text)}</span>`;

/** Rows of the conformance table that the product doesn't fully support, and those not evaluated. Names and remarks are in English. */
function rowsHtml(): { unmet: string[]; unevaluated: string[] } {
  const rows = Map.groupBy(unmetRows(), ({ level }) => level === 'Not Evaluated');
  const unmet = (rows.get(false) ?? []).map((row) => {
    const remarks = remarksOf(row).map(([part, remark]) => `${part}: ${remark}`);
    return inEnglish([`${row.id} ${row.name} (${row.level}).`, ...remarks].join(' '));
  });
  return { unmet, unevaluated: (rows.get(true) ?? []).map(({ id, name }) => inEnglish(`${id} ${name}`)) };
}

/** The accessibility statement as a complete page without scripts. @param preferred language of the visitor */
export function statementPage(preferred: Language, { statement, name, site, findings }: StatementFacts): string {
  const language = STATEMENT_TEXTS[preferred] ? preferred : 'en';
  const texts = STATEMENT_TEXTS[language]!;
  const { kind, email, phone, contact_url, enforcement_name, enforcement_url, reviewed_on } = statement;
  const body = statement.body_name || name;
  const isPublic = kind === 'public';
  const fill = (key: keyof StatementTexts, values: Record<string, string | number> = {}) =>
    fillText(language, texts[key], values);
  const say = (key: keyof StatementTexts, values?: Record<string, string | number>) => paragraph(fill(key, values));
  const heading = (level: 2 | 3, key: keyof StatementTexts) => `<h${level}>${escapeHtml(texts[key])}</h${level}>`;

  const limitations = statement.limitations.split(/\r?\n/).filter((each) => each.trim() !== '');
  const counted = ACCESSIBILITY_CODES.flatMap((code) => {
    const count = findings.counts.get(code) ?? 0;
    return count === 0 ? [] : [escapeHtml(fill(code, { count }))];
  });
  const { unmet, unevaluated } = rowsHtml();
  const groups = (
    [
      ['productIntro', unmet],
      ['unevaluatedIntro', unevaluated],
      ['findingsIntro', counted],
      ['limitationsIntro', limitations.map((each) => `<span lang="" dir="auto">${escapeHtml(each)}</span>`)],
    ] as const
  ).filter(([, items]) => items.length > 0);
  const known = groups.length === 0 ? say('nothing') : groups.map(([key, items]) => say(key) + list(items)).join('\n');

  const contacts = [
    email && `${escapeHtml(texts.email)} ${link(`mailto:${email}`, email)}`,
    phone && `${escapeHtml(texts.phone)} ${link(`tel:${phone.replace(/[^\d+]/g, '')}`, phone)}`,
    contact_url && `${escapeHtml(texts.form)} ${link(contact_url, contact_url)}`,
  ].filter(Boolean);
  const bodyName = enforcement_name || enforcement_url;
  const bodyHtml = enforcement_url ? link(enforcement_url, bodyName) : escapeHtml(bodyName);
  const overseer = (named: 'enforcementText' | 'authorityText', unnamed: 'enforcementUnknown' | 'authorityUnknown') =>
    bodyName ? `${say(named)}<p lang="" dir="auto">${bodyHtml}</p>` : say(unnamed);
  const date =
    reviewed_on &&
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(reviewed_on));
  const status = say(groups.length === 0 ? 'full' : 'partial');
  const { checked, total } = findings;

  const parts = [
    `<h1>${escapeHtml(texts.title)}</h1>`,
    say(isPublic ? 'commitmentPublic' : 'commitmentPrivate', { name: body }),
    say('scope', { site }),
    isPublic
      ? heading(2, 'status') + status
      : [
          heading(2, 'service') + say('serviceText', { name: body }),
          heading(2, 'use') + say('useText'),
          heading(2, 'requirements') + say('requirementsText') + status,
        ].join('\n'),
    isPublic
      ? [
          heading(2, 'content'),
          heading(3, 'nonCompliance') + known,
          heading(3, 'burden') + say('burdenText'),
          heading(3, 'outOfScope') + say('outOfScopeText'),
        ].join('\n')
      : heading(2, 'contentPrivate') + known,
    heading(2, 'preparation') + (date ? say('reviewed', { date }) : say('notReviewed')) + say('method'),
    checked < total ? say('checkedRooms', { checked, total }) : '',
    `<p>${link(CONFORMANCE_PATH, texts.report)}</p>`,
    heading(2, 'feedback') + say('feedbackText') + list(contacts),
    isPublic
      ? heading(2, 'enforcement') + overseer('enforcementText', 'enforcementUnknown')
      : heading(2, 'authority') + overseer('authorityText', 'authorityUnknown'),
  ];
  const page = `<main>${parts.join('\n')}</main>\n<footer><p>${link('/', texts.back)}</p></footer>`;
  return textPage(language, `${texts.title} – ${body}`, page, { isListed: true });
}
