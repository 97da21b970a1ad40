/** Direction of a text drawn on a canvas, by its first letter, as `dir="auto"` decides. */
export const directionOf = (text: string): CanvasDirection =>
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
    ? 'rtl'
    : 'ltr';
