import type { parseDocument } from 'htmlparser2'

export type Node = ReturnType<typeof parseDocument>['children'][number]
export type Element = Extract<Node, { attribs: Record<string, string> }>

const isHiding = (style: string) =>
  /(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i.test(style)

/** A page that is hidden until its scripts run is shown then; pop-up notes are shown where they belong. */
export function isHidden({ name, attribs }: Element, classes: ReadonlySet<string>): boolean {
  if (name === 'html' || name === 'body' || isNote(attribs)) return false
  if (attribs.hidden !== undefined && attribs.hidden !== 'until-found') return true
  if (attribs.style && isHiding(attribs.style)) return true
  return classes.size > 0 && (attribs.class ?? '').split(/\s+/).some((each) => classes.has(each))
}

export const isNote = (attribs: Record<string, string>) =>
  /\b(?:foot|end|rear)notes?\b/.test(`${attribs['epub:type'] ?? ''} ${attribs.role ?? ''}`)

/** One declaration after the other, so that the work grows with the style only. */
const isStriking = (style: string) =>
  style.split(';').some((part) => /^\s*text-decoration/i.test(part) && /line-through/i.test(part))

const struck = new Set(['del', 's', 'strike'])

export const isStruck = ({ name, attribs }: Element) => struck.has(name) || isStriking(attribs.style ?? '')

/** Classes that rules of one class hide; rules for printing or for narrow windows do not count. */
export function hiddenClasses(css: string): Set<string> {
  const found = new Set<string>()
  const plain = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
  let [depth, start, selector] = [0, 0, '']
  for (const { 0: sign, index } of plain.matchAll(/[{};]/g)) {
    if (sign === '{') {
      if (depth === 0) [selector, start] = [plain.slice(start, index).trim(), index]
      depth += 1
    } else if (sign === '}' && depth > 0) {
      depth -= 1
      if (depth > 0) continue
      if (!selector.startsWith('@')) addRule(found, selector, plain.slice(start, index))
      start = index + 1
    } else if (depth === 0) start = index + 1
  }
  return found
}

/** The last rule of a class decides. */
function addRule(found: Set<string>, selector: string, body: string): void {
  const says = isHiding(body) ? 'hides' : /(?:^|[;{\s])(?:display|visibility)\s*:/i.test(body) ? 'shows' : null
  if (says === null) return
  for (const part of selector.split(',')) {
    const name = /^\s*[a-z0-9]*\.([\w-]+)\s*$/i.exec(part)?.[1]
    if (name && says === 'hides') found.add(name)
    else if (name) found.delete(name)
  }
}
