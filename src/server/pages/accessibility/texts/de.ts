import type { StatementTexts } from './en.ts';

export const de: StatementTexts = {
  title: 'Erklärung zur Barrierefreiheit',
  commitmentPublic:
    '{name} ist bemüht, Websites im Einklang mit der Richtlinie (EU) 2016/2102 und den nationalen Rechtsvorschriften zu ihrer Umsetzung barrierefrei zugänglich zu machen.',
  commitmentPrivate:
    '{name} erbringt diese Dienstleistung im Einklang mit den Barrierefreiheitsanforderungen der Richtlinie (EU) 2019/882 und gibt hier die Informationen nach deren Anhang V.',
  scope: 'Diese Erklärung zur Barrierefreiheit gilt für die Räume und Seiten unter {site}.',
  service: 'Beschreibung der Dienstleistung',
  serviceText:
    '{name} veröffentlicht Räume, die im Browser betreten werden, mit Bildern, Modellen, Texten, Audio und Videos. Manche Räume verlangen einen Zugangscode.',
  use: 'So wird die Dienstleistung benutzt',
  useText:
    'Ein Raum lässt sich mit der Maus, durch Berühren oder mit der Tastatur bedienen: Pfeiltasten bewegen, die Tabulatortaste erreicht alles, was sich drücken lässt. „Hilfe“ im Menü eines Raums erklärt die Bedienung. Jeder Raum ist auch als Textseite verfügbar, von seiner ersten Seite oder seinem Menü aus. Die Textseite braucht weder Skripte noch 3D-Grafik.',
  requirements: 'Wie die Dienstleistung die Anforderungen erfüllt',
  requirementsText: 'Die Dienstleistung wurde in einer Selbstbewertung anhand der WCAG 2.2 und der EN 301 549 geprüft.',
  status: 'Stand der Vereinbarkeit mit den Anforderungen',
  full: 'Die Dienstleistung ist mit EN 301 549 und mit WCAG 2.2 auf den Stufen A und AA vollständig vereinbar.',
  partial:
    'Die Dienstleistung ist wegen der folgenden Unvereinbarkeiten mit EN 301 549 und mit WCAG 2.2 auf den Stufen A und AA teilweise vereinbar.',
  content: 'Nicht barrierefreie Inhalte',
  contentPrivate: 'Bekannte Einschränkungen',
  nonCompliance: 'Unvereinbarkeit mit den Barrierefreiheitsanforderungen',
  productIntro: 'Kriterien, die die Software nur teilweise oder nicht erfüllt:',
  unevaluatedIntro: 'Kriterien, die nicht bewertet wurden:',
  findingsIntro: 'Inhalte veröffentlichter Räume:',
  limitationsIntro: 'Weitere bekannte Einschränkungen:',
  nothing: 'Es sind keine bekannt.',
  burden: 'Unverhältnismäßige Belastung',
  burdenText: 'Es wird keine Ausnahme geltend gemacht.',
  outOfScope: 'Inhalte, die nicht in den Anwendungsbereich der Rechtsvorschriften fallen',
  outOfScopeText: 'Es wird keine Ausnahme geltend gemacht.',
  preparation: 'Erstellung dieser Erklärung',
  reviewed: 'Diese Erklärung wurde zuletzt am {date} überprüft.',
  notReviewed: 'Das Datum der letzten Überprüfung wurde nicht festgehalten.',
  method:
    'Sie beruht auf einer Selbstbewertung: automatischen Prüfungen der veröffentlichten Räume und dem Konformitätsbericht der Software.',
  checkedRooms:
    'Die automatischen Prüfungen umfassen die {checked} zuletzt geänderten von {total} veröffentlichten Räumen.',
  report: 'Konformitätsbericht (auf Englisch)',
  feedback: 'Feedback und Kontaktangaben',
  feedbackText:
    'Melden Sie uns Barrieren, die hier nicht aufgeführt sind, oder bitten Sie um Informationen in zugänglicher Form:',
  email: 'E-Mail:',
  phone: 'Telefon:',
  form: 'Kontaktformular:',
  enforcement: 'Durchsetzungsverfahren',
  enforcementText: 'Wenn unsere Antwort Sie nicht zufriedenstellt, wenden Sie sich an die Durchsetzungsstelle:',
  enforcementUnknown:
    'Wenn unsere Antwort Sie nicht zufriedenstellt, wenden Sie sich an die Durchsetzungsstelle Ihres Landes.',
  authority: 'Marktüberwachungsbehörde',
  authorityText: 'Die Behörde, die die Einhaltung durch diese Dienstleistung prüft:',
  authorityUnknown: 'Wenden Sie sich an die Marktüberwachungsbehörde Ihres Landes.',
  'image-without-alternative': 'Bilder ohne Alternativtext: {count}',
  'media-without-alternative':
    'Modelle, Audio, Videos, Livestreams und eingebettete Seiten ohne Alternativtext: {count}',
  'panorama-without-alternative': 'Panoramen ohne Alternativtext: {count}',
  'media-without-transcript': 'Audio und Videos ohne Untertitel und ohne Transkript: {count}',
  'place-without-name': 'Orte ohne Namen: {count}',
  'dialog-without-title': 'Dialoge ohne Titel: {count}',
  back: 'Startseite',
};
