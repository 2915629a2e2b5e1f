/** A text in pieces: pages, sheets, or one piece without a name. */
export interface Piece {
  name: string | null
  text: string
}

export interface ReadText {
  content: string
  /** Where named pieces begin in the content. */
  pages: { name: string; offset: number }[]
}

export const MAX_SYMBOLS = 2_000_000
const CUT_NOTE = '\n\n[Файл прочитан не до конца: взяты первые 2 000 000 символов.]'

/** Plain letters, one kind of line end, nothing invisible. Spaces inside lines stay: they may be an indent or a table. */
export function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\p{Zs}\f\v]/gu, ' ')
    .replace(/[^\P{Cc}\n\t]|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '')
}

/** The same for prose, where more than one space means nothing. */
export function tidyProse(text: string): string {
  return tidy(text.replace(/[^\S\n\t]+/g, ' ').replace(/^ +/gm, ''))
}

/** Puts pieces together, remembers where each begins, and stops where enough is enough. */
export function join(pieces: Iterable<Piece>, note: string | null = null): ReadText {
  let content = ''
  const pages: ReadText['pages'] = []
  for (const { name, text } of pieces) {
    if (text === '') continue
    if (content !== '') content += '\n\n'
    if (name !== null) pages.push({ name, offset: content.length })
    content += text
    if (content.length > MAX_SYMBOLS) return { content: cut(content) + CUT_NOTE, pages: pages.filter(isBeforeCut) }
  }
  return { content: note && content !== '' ? `${content}\n\n${note}` : content, pages }
}

const isBeforeCut = ({ offset }: { offset: number }) => offset < MAX_SYMBOLS
/** Not through the middle of a letter that takes two units. */
const cut = (text: string) => text.slice(0, MAX_SYMBOLS).replace(/[\ud800-\udbff]$/, '')
