/** Markup that the rich text editor would drop. */
export const BEYOND_RICH_TEXT =
  /<(?!\/?(?:p|br|h[123]|strong|b|em|i|a|ul|ol|li|blockquote)\b)[a-z]|\s(?:style|class)=/i;
