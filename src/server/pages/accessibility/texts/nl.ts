import type { StatementTexts } from './en.ts';

export const nl: StatementTexts = {
  title: 'Toegankelijkheidsverklaring',
  commitmentPublic:
    '{name} streeft naar toegankelijke websites, in overeenstemming met Richtlijn (EU) 2016/2102 en de nationale wetgeving die haar omzet.',
  commitmentPrivate:
    '{name} biedt deze dienst aan in overeenstemming met de toegankelijkheidseisen van Richtlijn (EU) 2019/882, de Europese toegankelijkheidswet, en geeft hier de informatie uit bijlage V.',
  scope: 'Deze toegankelijkheidsverklaring geldt voor de ruimtes en pagina’s op {site}.',
  service: 'Beschrijving van de dienst',
  serviceText:
    '{name} publiceert ruimtes die bezoekers in een browser betreden, met afbeeldingen, modellen, teksten, audio en video’s. Sommige ruimtes vragen om een toegangscode.',
  use: 'Zo gebruikt u de dienst',
  useText:
    'Een ruimte bedient u met een muis, door aanraken of met het toetsenbord: met de pijltjestoetsen beweegt u, met Tab bereikt u alles wat ingedrukt kan worden. “Hulp” in het menu van een ruimte legt de bediening uit. Elke ruimte is er ook als tekstpagina, vanaf de eerste pagina of het menu. De tekstpagina heeft geen scripts en geen 3D-beelden nodig.',
  requirements: 'Hoe de dienst aan de eisen voldoet',
  requirementsText: 'De dienst is in een eigen beoordeling getoetst aan WCAG 2.2 en EN 301 549.',
  status: 'Nalevingsstatus',
  full: 'De dienst voldoet volledig aan EN 301 549 en aan WCAG 2.2 op niveau A en AA.',
  partial:
    'De dienst voldoet gedeeltelijk aan EN 301 549 en aan WCAG 2.2 op niveau A en AA, vanwege de hieronder genoemde afwijkingen.',
  content: 'Niet-toegankelijke inhoud',
  contentPrivate: 'Bekende beperkingen',
  nonCompliance: 'Niet in overeenstemming met de toegankelijkheidseisen',
  productIntro: 'Criteria waaraan de software maar deels of niet voldoet:',
  unevaluatedIntro: 'Criteria die niet zijn beoordeeld:',
  findingsIntro: 'Inhoud van gepubliceerde ruimtes:',
  limitationsIntro: 'Verdere bekende beperkingen:',
  nothing: 'Er zijn er geen bekend.',
  burden: 'Onevenredige last',
  burdenText: 'Er wordt geen uitzondering ingeroepen.',
  outOfScope: 'Inhoud die buiten het toepassingsgebied van de wetgeving valt',
  outOfScopeText: 'Er wordt geen uitzondering ingeroepen.',
  preparation: 'Opstelling van deze verklaring',
  reviewed: 'Deze verklaring is voor het laatst herzien op {date}.',
  notReviewed: 'De datum van de laatste herziening is niet vastgelegd.',
  method:
    'Zij berust op een eigen beoordeling: automatische controles van de gepubliceerde ruimtes, en het conformiteitsrapport van de software.',
  checkedRooms: 'De automatische controles betreffen de {checked} laatst gewijzigde van {total} gepubliceerde ruimtes.',
  report: 'Conformiteitsrapport (in het Engels)',
  feedback: 'Feedback en contact',
  feedbackText: 'Meld ons drempels die hier niet worden genoemd, of vraag om informatie in een toegankelijke vorm:',
  email: 'E-mail:',
  phone: 'Telefoon:',
  form: 'Contactformulier:',
  enforcement: 'Handhavingsprocedure',
  enforcementText: 'Bent u niet tevreden met ons antwoord, neem dan contact op met de handhavingsinstantie:',
  enforcementUnknown:
    'Bent u niet tevreden met ons antwoord, neem dan contact op met de handhavingsinstantie van uw land.',
  authority: 'Markttoezichtautoriteit',
  authorityText: 'De autoriteit die toeziet op de naleving door deze dienst:',
  authorityUnknown: 'Neem contact op met de markttoezichtautoriteit van uw land.',
  'image-without-alternative': 'Afbeeldingen zonder alternatieve tekst: {count}',
  'media-without-alternative':
    'Modellen, audio, video’s, livestreams en ingesloten pagina’s zonder alternatieve tekst: {count}',
  'panorama-without-alternative': 'Panorama’s zonder alternatieve tekst: {count}',
  'media-without-transcript': 'Audio en video’s zonder ondertitels en zonder transcript: {count}',
  'place-without-name': 'Plekken zonder naam: {count}',
  'dialog-without-title': 'Dialoogvensters zonder titel: {count}',
  back: 'Voorpagina',
};
