/** Groups that hold no text of the document. */
export const skipped = new Set(
  'colortbl info pict object objdata themedata colorschememapping datastore latentstyles listtable listoverridetable revtbl rsidtbl generator xmlnstbl filetbl fldinst bkmkstart bkmkend mmathPr mmathPict pgptbl ftnsep ftnsepc aftnsep aftnsepc private shprslt'.split(
    ' ',
  ),
)
/** Groups that readers may skip although they hold text. */
export const starredText = new Set(['footnote', 'moMath', 'moMathPara'])
/** Headers and footers are kept, once each, apart from the text. */
export const margins = /^(?:header|footer)[lrf]?$/

export const signs: Record<string, string> = {
  line: '\n',
  page: '\n',
  tab: ' ',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  '~': '\u00a0',
  _: '-',
}

/** Code pages by the number of the alphabet of a font. */
export const charsets: Record<number, number> = {
  0: 1252,
  77: 10_000,
  161: 1253,
  162: 1254,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  238: 1250,
  254: 866,
}
