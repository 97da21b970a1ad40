import { escapeHtml } from '../escape-html.ts';
import type { JudgedRow } from './judge.ts';
import { type ConformanceReport, countsText, headingOf, remarksOf } from './report.ts';

const STYLE = `
  body { max-width: 80rem; margin: 0 auto; padding: 24px 16px 64px; background: #f7f6f2; color: #14171c;
    font: 400 16px/1.5 "Inter Variable", system-ui, sans-serif; overflow-wrap: break-word; }
  h1, h2, h3 { line-height: 1.25; } p { max-width: 44rem; } a { color: #1f5d5b; }
  .table { overflow-x: auto; }
  table { width: 100%; min-width: 44rem; border-collapse: collapse; }
  th, td { padding: 8px; border: 1px solid #8a8579; text-align: start; vertical-align: top; }
  thead th { background: #e6e3da; } th[scope="row"] { width: 22%; font-weight: 600; }
  td p, td ul { margin: 0 0 4px; padding: 0; list-style: none; } td ul { font-size: 14px; }
  @media (prefers-color-scheme: dark) {
    body { background: #14171c; color: #f7f6f2; } a { color: #8ad0cd; } thead th { background: #2a2f37; }
  }
  @media print { .table { overflow: visible; } table { min-width: 0; font-size: 9pt; } tr { break-inside: avoid; } }
`;

const list = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

const rowHtml = (row: JudgedRow): string => {
  const remarks = remarksOf(row).map(([part, remark]) => `<p>${escapeHtml(part)}: ${escapeHtml(remark)}</p>`);
  const evidence = row.evidence.map(({ name, outcome }) => `${escapeHtml(name)} – <strong>${outcome}</strong>`);
  return `<tr><th scope="row">${escapeHtml(headingOf(row))}</th><td>${row.level}</td><td>${row.verdict}</td>
<td>${remarks.join('')}</td><td>${list(evidence)}</td></tr>`;
};

/** The report as a complete page without scripts. */
export function reportHtml({ title, version, notes, counts, chapters, manual_checks }: ConformanceReport): string {
  const heads = ['Criterion', 'Conformance level', 'Check', 'Remarks', 'Evidence'];
  const head = `<thead><tr>${heads.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>`;
  const tables = chapters.map(
    (chapter) => `<h2>${escapeHtml(chapter.title)}</h2>
<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(chapter.title)}"><table>${head}
<tbody>${chapter.rows.map(rowHtml).join('\n')}</tbody></table></div>`,
  );
  const checks = manual_checks.map(
    ({ name, steps, passed_on }) => `<h3>${escapeHtml(name)} (${passed_on ? `passed on ${passed_on}` : 'not run'})</h3>
<ol>${steps.map((step) => `<li>${escapeHtml(step)}</li>`).join('')}</ol>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>Version ${escapeHtml(version)}</p>
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
<p><strong>${escapeHtml(countsText(counts))}</strong></p>
${tables.join('\n')}
<h2>Manual checks</h2>
${checks.join('\n')}
</main>
</body>
</html>
`;
}
