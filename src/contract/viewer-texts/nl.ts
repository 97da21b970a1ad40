import type { ErrorCode } from '../errors.ts';
import type { Texts } from './en.ts';

export const nl: Texts = {
  loading: 'Laden…',
  invitation: 'Klik om de wereld te betreden...',
  emptyRoom: 'Deze ruimte is leeg.',
  noWebgl: 'Deze ruimte heeft WebGL nodig, en dat biedt deze browser niet.',
  noPage: 'Deze pagina bestaat niet.',
  notOpened: 'Deze ruimte kon niet worden geopend.',
  notOpenYet: 'Deze ruimte is nog niet open.',
  noRoomYet: 'Hier is nog geen ruimte.',
  notReached: 'De ruimte is niet bereikbaar. Controleer je verbinding en probeer het opnieuw.',
  partMissing: 'Een deel van deze ruimte kon niet worden geladen.',
  pictureLost: 'Het beeld viel weg. Het wordt hersteld…',

  codeTitle: 'Voer je code in',
  codeLabel: 'Je persoonlijke code',
  login: 'Inloggen',
  tryAgain: 'Opnieuw proberen',
  wrongCode: 'Die code is niet geldig. Controleer hem en probeer het opnieuw.',
  expiredCode: 'Deze code is verlopen.',
  earlyCode: 'Deze code is nog niet geldig.',
  startsAt: 'Deze ruimte begint om {time}',
  accessEndsIn: 'Je toegang eindigt over {count} minuten.',
  accessEndsInMinute: 'Je toegang eindigt over 1 minuut.',
  accessEnded: 'Je toegang is geëindigd.',

  home: '{name}, startpagina',
  back: 'Terug',
  close: 'Sluiten',
  cancel: 'Annuleren',
  ok: 'OK',
  message: 'Bericht',
  page: 'Pagina',

  controls: 'Bediening',
  move: 'Bewegen',
  forward: 'Vooruit',
  backward: 'Achteruit',
  left: 'Naar links',
  right: 'Naar rechts',
  turnLeft: 'Linksom draaien',
  turnRight: 'Rechtsom draaien',
  joystick: 'Joystick: sleep om te bewegen',
  height: 'Hoogte',
  showJoystick: 'Joystick tonen',
  hideJoystick: 'Joystick verbergen',

  viewPoints: 'Kijkpunten',
  viewPoint: 'Kijkpunt {number}',
  viewPointUnnamed: 'Kijkpunt',
  streamNotStarted: 'De uitzending is nog niet begonnen.',
  streamInterrupted: 'De uitzending is onderbroken. Opnieuw verbinden…',
  streamEnded: 'De uitzending is afgelopen.',
  streamFormat: 'Deze browser kan het formaat van deze uitzending niet afspelen ({formats}).',
  connectionLost: 'De verbinding is verbroken. Opnieuw verbinden…',
  hintWheel: 'Gebruik Ctrl + scrollen om te zoomen, of klik eerst in de ruimte',
  hintWheelMac: 'Gebruik ⌘ + scrollen om te zoomen, of klik eerst in de ruimte',
  hintTouch: 'Gebruik twee vingers om rond te kijken',

  picture: 'Afbeelding',
  thing: 'Iets om op te drukken',
  previousViewPoint: 'Vorig kijkpunt',
  nextViewPoint: 'Volgend kijkpunt',
  toStart: 'Terug naar het begin',
  startTour: 'Rondleiding starten',
  pauseTour: 'Rondleiding pauzeren',

  mute: 'Geluid uit',
  unmute: 'Geluid aan',
  tapToUnmute: 'Tik voor geluid',
  volume: 'Volume',
  subtitles: 'Ondertiteling',
  noSubtitles: 'Uit',
  subtitleSize: 'Grootte van de ondertiteling',
  sizeSmall: 'Klein',
  sizeMedium: 'Middel',
  sizeLarge: 'Groot',
  film: 'Video',
  closeVideo: 'Video sluiten',
  timeLeft: 'Resterende tijd',

  peopleHere: 'Aantal mensen hier: {count}',
  guest: 'Gast {number}',
  more: 'Meer',
  fullScreen: 'Volledig scherm',
  leaveFullScreen: 'Volledig scherm verlaten',
  copyLink: 'Link naar dit uitzicht kopiëren',
  linkCopied: 'De link naar dit uitzicht is gekopieerd.',
  linkNotCopied: 'De link kon niet worden gekopieerd. Hij staat nu in de adresbalk.',
  lookByMoving: 'Rondkijken door het apparaat te bewegen',
  lookByHand: 'Rondkijken door aanraken',
  noOrientation: 'Bewegingsbesturing is niet beschikbaar of werd geweigerd.',
  enterVr: 'VR openen',
  leaveVr: 'VR verlaten',
  inVr: 'De ruimte is te zien in de headset.',
  noVr: 'De headset kon niet worden gebruikt.',
  vrLeft: 'Dit is een andere ruimte: open VR opnieuw om haar in de headset te zien.',
  asText: 'Deze ruimte als tekst lezen',

  help: 'Hulp',
  helpMove: 'Beweeg met de knoppen op het scherm, de pijltjestoetsen of W A S D. Houd vast om door te gaan.',
  helpLook:
    'Sleep om te kijken of mee te bewegen. Waar de ruimte het toelaat, draai je met Q en E en kom je met het wiel dichterbij.',
  helpViewPoints:
    'Druk op de lichte schijven op de vloer, of gebruik het kijkpuntenmenu, om naar een goede plek te gaan.',
  helpTouchMove: 'Beweeg met de knoppen op het scherm. Houd vast om door te gaan.',
  helpTouchLook: 'Sleep met één vinger om rond te kijken, of om mee te bewegen waar de ruimte niet draait.',
  about: 'Over {name}',
  aboutRoom: 'Gepubliceerd door {name}.',

  share: 'Delen',
  shareName: 'Je naam',
  shareMessage: 'Je bericht',
  sharePicture: 'Afbeelding',
  addNow: 'Nu toevoegen',
  sharing: 'Toevoegen…',
  shareWaiting: 'Je bericht wacht op goedkeuring. Daarna is het te zien.',
  notShared: 'Je bericht kon niet worden toegevoegd. Controleer je verbinding en probeer het opnieuw.',
  longMessage: 'Gebruik hoogstens {count} tekens.',
  nothingToShare: 'Schrijf een bericht of kies een afbeelding.',

  slider: 'Diavoorstelling',
  slide: 'Dia',
  slideOf: 'Dia {number} van {count}',
  previousSlide: 'Vorige dia',
  nextSlide: 'Volgende dia',
};

/** API errors that only occur in the back-office. */
type BackOfficeError =
  | 'wrong_login'
  | 'second_factor_required'
  | 'stale'
  | 'in_use'
  | 'key_reused'
  | 'client_taken'
  | 'not_set_up'
  | 'unknown_field'
  | 'misdirected';

/** API error messages by code. */
export const nlErrors: Readonly<Record<Exclude<ErrorCode, BackOfficeError>, string>> = {
  bad_request: 'De vraag kon niet worden gelezen.',
  invalid: 'Niet alles is goed ingevuld.',
  signed_out: 'Je bezoek is afgelopen. Voer je code opnieuw in.',
  forbidden: 'Dit mag niet.',
  foreign_site: 'Dit kwam van een pagina van een andere site.',
  not_found: 'Deze pagina is er niet meer.',
  quota: 'Deze organisatie kan nu niets meer bewaren.',
  code_required: 'Deze ruimte vraagt om een persoonlijke code.',
  too_large: 'Dit is te groot, of er past niets meer bij.',
  wrong_type: 'Dit soort bestand kan hier niet worden gebruikt.',
  bad_file: 'Het bestand is beschadigd of niet volledig.',
  unclear_table: 'Het is niet zeker in welke kolom de toegangscodes staan.',
  out_of_range: 'Dit deel van het bestand bestaat niet.',
  provider_failed: 'De dienst gaf geen goed antwoord. Probeer het zo weer.',
  provider_busy: 'De dienst neemt nu niets meer aan. Probeer het over een paar minuten weer.',
  too_many: 'Te veel pogingen. Wacht {minutes} min. en probeer het dan opnieuw.',
  timeout: 'Het duurde te lang. Controleer je verbinding en probeer het opnieuw.',
  failed: 'Er ging bij ons iets mis. Probeer het opnieuw.',
  unavailable: 'De dienst is nog niet klaar. Probeer het zo weer.',
};
