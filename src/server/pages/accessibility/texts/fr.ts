import type { StatementTexts } from './en.ts';

export const fr: StatementTexts = {
  title: 'Déclaration d’accessibilité',
  commitmentPublic:
    '{name} s’engage à rendre ses sites accessibles, conformément à la directive (UE) 2016/2102 et au droit national qui la transpose.',
  commitmentPrivate:
    '{name} fournit ce service conformément aux exigences d’accessibilité de la directive (UE) 2019/882 et donne ici les informations prévues à son annexe V.',
  scope: 'La présente déclaration d’accessibilité s’applique aux salles et aux pages de {site}.',
  service: 'Description du service',
  serviceText:
    '{name} publie des salles que l’on visite dans un navigateur, avec des images, des modèles, des textes, de l’audio et des vidéos. Certaines salles demandent un code d’accès.',
  use: 'Comment utiliser le service',
  useText:
    'Une salle s’utilise avec une souris, par contact ou au clavier : les flèches déplacent, la touche Tab atteint tout ce qui peut être activé. « Aide », dans le menu d’une salle, explique les commandes. Chaque salle existe aussi en page de texte, accessible depuis sa première page ou son menu. La page de texte n’a besoin ni de scripts ni de graphismes 3D.',
  requirements: 'Comment le service répond aux exigences',
  requirementsText: 'Le service a fait l’objet d’une auto-évaluation selon les WCAG 2.2 et EN 301 549.',
  status: 'État de conformité',
  full: 'Le service est entièrement conforme à EN 301 549 et aux WCAG 2.2 aux niveaux A et AA.',
  partial:
    'Le service est partiellement conforme à EN 301 549 et aux WCAG 2.2 aux niveaux A et AA, en raison des non-conformités énumérées ci-dessous.',
  content: 'Contenu non accessible',
  contentPrivate: 'Limites connues',
  nonCompliance: 'Non-conformité aux exigences d’accessibilité',
  productIntro: 'Critères que le logiciel ne respecte qu’en partie ou pas du tout :',
  unevaluatedIntro: 'Critères qui n’ont pas été évalués :',
  findingsIntro: 'Contenu des salles publiées :',
  limitationsIntro: 'Autres limites connues :',
  nothing: 'Aucune n’est connue.',
  burden: 'Charge disproportionnée',
  burdenText: 'Aucune dérogation n’est invoquée.',
  outOfScope: 'Contenu qui ne relève pas du champ de la législation applicable',
  outOfScopeText: 'Aucune dérogation n’est invoquée.',
  preparation: 'Établissement de la présente déclaration',
  reviewed: 'La présente déclaration a été revue pour la dernière fois le {date}.',
  notReviewed: 'La date de la dernière révision n’a pas été enregistrée.',
  method:
    'Elle repose sur une auto-évaluation : des contrôles automatiques des salles publiées, et le rapport de conformité du logiciel.',
  checkedRooms:
    'Les contrôles automatiques portent sur les {checked} salles modifiées le plus récemment, parmi {total} salles publiées.',
  report: 'Rapport de conformité (en anglais)',
  feedback: 'Retour d’information et coordonnées',
  feedbackText:
    'Signalez-nous les obstacles qui ne figurent pas ici, ou demandez des informations sous une forme accessible :',
  email: 'E-mail :',
  phone: 'Téléphone :',
  form: 'Formulaire de contact :',
  enforcement: 'Procédure permettant d’assurer le respect des dispositions',
  enforcementText: 'Si notre réponse ne vous satisfait pas, adressez-vous à l’organisme de contrôle :',
  enforcementUnknown: 'Si notre réponse ne vous satisfait pas, adressez-vous à l’organisme de contrôle de votre pays.',
  authority: 'Autorité de surveillance du marché',
  authorityText: 'L’autorité qui vérifie la conformité de ce service :',
  authorityUnknown: 'Adressez-vous à l’autorité de surveillance du marché de votre pays.',
  'image-without-alternative': 'Images sans texte de remplacement : {count}',
  'media-without-alternative':
    'Modèles, audio, vidéos, diffusions en direct et pages intégrées sans texte de remplacement : {count}',
  'panorama-without-alternative': 'Panoramas sans texte de remplacement : {count}',
  'media-without-transcript': 'Audio et vidéos sans sous-titres ni transcription : {count}',
  'place-without-name': 'Lieux sans nom : {count}',
  'dialog-without-title': 'Boîtes de dialogue sans titre : {count}',
  back: 'Page d’accueil',
};
