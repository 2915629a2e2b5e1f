import { DomUtils, parseDocument } from 'htmlparser2'
import { createFormula } from '../formula.ts'
import { markRaised, type Raised, writeRaised } from '../raised.ts'
import { type Element, hiddenClasses, isHidden, isStruck, type Node } from './looks.ts'

/** Pages as a tree that is changed before its text is taken: what is not shown goes, what has no plain form gets one. */

export interface Page {
  document: ReturnType<typeof parseDocument>
  /** In the order of the page. */
  elements: Element[]
  ids: Map<string, Element>
}

/** The text of longer pages is cut anyway; deeper elements are not read. */
export const MAX_INPUT = 20 * 1024 * 1024
const MAX_DEPTH = 220

export function parsePage(html: string, keepsStruck: boolean): Page {
  const document = parseDocument(html.slice(0, MAX_INPUT))
  const elements = elementsOf(document.children)
  const ids = new Map<string, Element>()
  for (const element of elements) {
    const { id, name } = element.attribs
    for (const key of [id, element.name === 'a' ? name : undefined]) if (key && !ids.has(key)) ids.set(key, element)
  }
  const styles = elements.filter(({ name }) => name === 'style').map((style) => DomUtils.textContent(style))
  const hidden = hiddenClasses(styles.join('\n'))
  const gone = new Set<unknown>()
  for (const element of elements) {
    if (gone.has(element.parent)) gone.add(element)
    else if (isHidden(element, hidden) || (!keepsStruck && isStruck(element))) remove(element)
    else if (element.name === 'math') becomeText(element, formulaOf(element))
    else if ((element.name === 'sup' || element.name === 'sub') && !isLinked(element))
      becomeText(element, writeRaised(markRaised(DomUtils.textContent(element), raisedBy[element.name])))
    else continue
    gone.add(element)
  }
  return { document, elements: elements.filter((element) => !gone.has(element)), ids }
}

const raisedBy: Record<'sup' | 'sub', Raised> = { sup: 'super', sub: 'sub' }

export const writePage = ({ document }: Page) => DomUtils.getOuterHTML(document, { encodeEntities: 'utf8' })

/** It stays in its place, which costs less than taking it out of a long list. */
export function remove(element: Element): void {
  ;[element.name, element.children] = ['template', []]
}

export function becomeText(element: Element, text: string): void {
  element.name = 'span'
  element.children = fragment('a')
  const [node] = element.children
  if (node && DomUtils.isText(node)) node.data = text
}

export const fragment = (html: string): Element['children'] => parseDocument(html).children

/** Raised marks of notes are links, or in links. */
const isLinked = ({ parent, children }: Element) =>
  (parent !== null && DomUtils.isTag(parent) && parent.name === 'a') ||
  children.some((child) => DomUtils.isTag(child) && child.name === 'a')

function elementsOf(nodes: Node[]): Element[] {
  const found: Element[] = []
  const open = nodes.toReversed().map((node) => ({ node, depth: 1 }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next
    if (!DomUtils.isTag(node)) continue
    found.push(node)
    if (depth > MAX_DEPTH) node.children = []
    for (let at = node.children.length - 1; at >= 0; at -= 1) {
      const child = node.children[at]
      if (child) open.push({ node: child, depth: depth + 1 })
    }
  }
  return found
}

/** MathML on one line; its copies in other notations are left out. */
function formulaOf(math: Element): string {
  const formula = createFormula()
  const walk = (nodes: Node[]) => {
    for (const node of nodes) {
      if (DomUtils.isText(node)) formula.text(node.data.trim())
      else if (DomUtils.isTag(node) && !/^annotation/.test(node.name)) {
        const name = node.name.slice(node.name.indexOf(':') + 1)
        formula.open(name, () => undefined)
        walk(node.children)
        formula.close()
      }
    }
  }
  walk(math.children)
  return formula.end()
}
