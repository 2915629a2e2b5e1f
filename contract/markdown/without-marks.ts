/** Text without the marks of Markdown, where it is shown as plain text. «my_var», «2 * 3» and `__init__.py` stay. */
export function withoutMarks(text: string): string {
  return text
    .replace(/^[ \t]*(?:#{1,6}|>)[ \t]+/gm, '')
    .replace(/^[ \t]*[*+-][ \t]+/gm, '• ')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/(\*\*|~~|`)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])__(?=\S)([^\n]*?\S)__(?![\p{L}\p{N}.])/gu, '$1')
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]*?[^\s_])_(?![\p{L}\p{N}_])/gu, '$1')
}

/** A title that was written in Markdown; one of nothing but marks stays as it is. */
export const plainTitle = (title: string): string =>
  withoutMarks(title)
    .replace(/^• /, '')
    .replace(/^[*_`~]+(?=\s|$)|(?<=\s)[*_`~]+$/g, '')
    .trim() || title
