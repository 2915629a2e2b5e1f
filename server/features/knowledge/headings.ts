/** A line that names what follows. The smaller the level, the more it stands above. */
export interface Heading {
  level: number
  title: string
}

const MAX_TITLE = 120
const markdown = /^(#{1,6})\s+(.+?)\s*#*$/
const named = /^(глава|раздел|часть|приложение|статья|параграф|§)\s*№?\s*([\dIVXLC]+(?:\.\d+)*|[А-ЯЁ](?![а-яё]))/iu
const numbered = /^(\d{1,3}(?:\.\d{1,3}){0,3})[.)]?\s+(\p{Lu}.*)$/u
const levels: Record<string, number> = { глава: 1, раздел: 1, часть: 1, приложение: 1 }

/**
 * What a line is the heading of, or null. `before` and `after` are the lines around it: a numbered line is a heading
 * when it stands alone, and an item of a list when its like follows.
 */
export function headingOf(line: string, before: string, after: string): Heading | null {
  const text = line.trim()
  if (text === '' || text.length > MAX_TITLE || text.includes('\t')) return null
  const marked = markdown.exec(text)
  if (marked) return { level: marked[1]?.length ?? 1, title: plain(marked[2] ?? '') }
  if (/[,;:]$/.test(text)) return null
  const word = named.exec(text)
  if (word && !/[.!?]$/.test(text.replace(/^\S+\s+\S+$/, ''))) {
    return { level: levels[(word[1] ?? '').toLowerCase()] ?? 2, title: text }
  }
  const number = numbered.exec(text)
  if (number) return isAlone(number, before, after) ? { level: 1 + depth(number[1] ?? ''), title: text } : null
  return isShouted(text) ? { level: 1, title: text } : null
}

const depth = (number: string) => number.split('.').length

function isAlone([, number = '', title = '']: RegExpExecArray, before: string, after: string): boolean {
  if (/[.!?…]$/.test(title) || title.length > 90) return false
  const next = numbered.exec(after.trim())
  const isList = next !== null && depth(next[1] ?? '') === depth(number)
  return !isList && (before.trim() === '' || number.includes('.'))
}

/** All letters are capital, and there are enough of them to be no abbreviation. */
function isShouted(text: string): boolean {
  const emails = text.match(/\p{L}/gu) ?? []
  return emails.length >= 6 && emails.length > text.length / 2 && text === text.toUpperCase()
}

const plain = (title: string) => title.replace(/[*_`]+/g, '').trim()

/** The headings above a place, changed by the one that comes now. */
export function underHeading(above: Heading[], heading: Heading): Heading[] {
  return [...above.filter(({ level }) => level < heading.level), heading]
}
