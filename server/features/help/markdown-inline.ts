import { escapeHtml } from '#server/lib/html.ts'

export interface Inline {
  html: string
  /** What is read, without any marks. */
  text: string
  /** Where it leads. */
  links: string[]
}

const nothing: Inline = { html: '', text: '', links: [] }

/** Code, bold, italic, link; in this order, because nothing inside code means anything. */
const mark = /`([^`]+)`|\*\*(\S|\S[^*]*[^*\s])\*\*|\*(\S|\S[^*]*[^*\s])\*|(?<!!)\[([^\]]+)\]\(([^()\s]+)\)/g

/** Signs that mean something in Markdown but nothing here: shown as they are, they would puzzle a reader. */
const unknown = /[`*[\]\\]|<[a-z/!]|~~|&#?\w+;|https?:\/\/|(?:^|[\s(«])_\S/i

export function readInline(source: string): Inline {
  let done = nothing
  let from = 0
  for (const match of source.matchAll(mark)) {
    done = join(join(done, plain(source.slice(from, match.index))), marked(match))
    from = match.index + match[0].length
  }
  return join(done, plain(source.slice(from)))
}

function marked([, code, bold, italic, label = '', address = '']: RegExpExecArray): Inline {
  if (code !== undefined) return { html: `<code>${escapeHtml(code)}</code>`, text: code, links: [] }
  if (bold !== undefined) return wrap('<strong>', readInline(bold), '</strong>')
  if (italic !== undefined) return wrap('<em>', readInline(italic), '</em>')
  const inside = readInline(label)
  return { ...wrap(`<a ${linkAttributes(address)}>`, inside, '</a>'), links: [...inside.links, address] }
}

function linkAttributes(address: string): string {
  const href = `href="${escapeHtml(address)}"`
  if (/^https?:\/\//.test(address)) return `${href} target="_blank" rel="noopener nofollow"`
  if (/^(?:\/(?!\/)|#)/.test(address)) return href
  throw new Error(`a link may lead to http, https, / or #, not to ${address}`)
}

function plain(text: string): Inline {
  const sign = unknown.exec(text)
  if (sign) throw new Error(`no such mark: ${text.slice(sign.index, sign.index + 20)}`)
  return { html: escapeHtml(typeset(text)), text, links: [] }
}

/** A number stays in one line, and no line begins with a dash. */
function typeset(text: string): string {
  return text.replace(/(?<=\d) (?=\d{3}(?!\d))/g, '\u202f').replace(/ (?=[—–] )/g, '\u00a0')
}

function wrap(open: string, { html, text, links }: Inline, close: string): Inline {
  return { html: open + html + close, text, links }
}

function join(a: Inline, b: Inline): Inline {
  return { html: a.html + b.html, text: a.text + b.text, links: [...a.links, ...b.links] }
}
