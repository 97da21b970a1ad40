/** Texts of accessibility statements; for `fillText`. */
export const en = {
  title: 'Accessibility statement',
  commitmentPublic:
    '{name} is committed to making its websites accessible, in accordance with Directive (EU) 2016/2102 and the national law that transposes it.',
  commitmentPrivate:
    '{name} offers this service in accordance with the accessibility requirements of Directive (EU) 2019/882, the European Accessibility Act, and gives the information of its Annex V here.',
  scope: 'This accessibility statement applies to the rooms and pages at {site}.',
  service: 'Description of the service',
  serviceText:
    '{name} publishes rooms that visitors enter in a browser, with images, models, texts, audio and videos. Some rooms need an access token.',
  use: 'How to use the service',
  useText:
    'A room is used with a mouse, by touch or with the keyboard: arrow keys move, Tab reaches everything that can be pressed. “Help” in the menu of a room explains the controls. Every room is also available as a text page, from its first page or its menu. The text page needs no scripts and no 3D graphics.',
  requirements: 'How the service meets the requirements',
  requirementsText: 'The service was self-assessed against WCAG 2.2 and EN 301 549.',
  status: 'Compliance status',
  full: 'The service is fully compliant with EN 301 549 and with WCAG 2.2 at levels A and AA.',
  partial:
    'The service is partially compliant with EN 301 549 and with WCAG 2.2 at levels A and AA, due to the non-compliances listed below.',
  content: 'Non-accessible content',
  contentPrivate: 'Known limitations',
  nonCompliance: 'Non-compliance with the accessibility requirements',
  productIntro: 'Criteria that the software meets only in part, or not at all:',
  unevaluatedIntro: 'Criteria that have not been evaluated:',
  findingsIntro: 'Content in published rooms:',
  limitationsIntro: 'Further known limitations:',
  nothing: 'None are known.',
  burden: 'Disproportionate burden',
  burdenText: 'No exemption is claimed.',
  outOfScope: 'Content outside the scope of the applicable legislation',
  outOfScopeText: 'No exemption is claimed.',
  preparation: 'Preparation of this statement',
  reviewed: 'This statement was last reviewed on {date}.',
  notReviewed: 'The date of the last review has not been recorded.',
  method:
    'It is based on a self-assessment: automatic checks of the published rooms, and the conformance report of the software.',
  checkedRooms: 'The automatic checks cover the {checked} most recently changed of {total} published rooms.',
  report: 'Conformance report (in English)',
  feedback: 'Feedback and contact',
  feedbackText: 'Tell us about barriers that are not listed here, or ask for information in an accessible form:',
  email: 'E-mail:',
  phone: 'Phone:',
  form: 'Contact form:',
  enforcement: 'Enforcement procedure',
  enforcementText: 'If our answer doesn’t satisfy you, contact the enforcement body:',
  enforcementUnknown: 'If our answer doesn’t satisfy you, contact the enforcement body of your country.',
  authority: 'Market surveillance authority',
  authorityText: 'The authority that checks compliance of this service:',
  authorityUnknown: 'Contact the market surveillance authority of your country.',
  'image-without-alternative': 'Images without an alternative text: {count}',
  'media-without-alternative':
    'Models, audio, videos, live streams and embedded pages without an alternative text: {count}',
  'panorama-without-alternative': 'Panoramas without an alternative text: {count}',
  'media-without-transcript': 'Audio and videos with neither subtitles nor a transcript: {count}',
  'place-without-name': 'Places without a name: {count}',
  'dialog-without-title': 'Dialogs without a title: {count}',
  back: 'Front page',
};

export type StatementTexts = Readonly<Record<keyof typeof en, string>>;
