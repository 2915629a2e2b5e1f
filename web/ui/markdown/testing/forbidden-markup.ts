/** Elements that an answer may consist of, with their attributes. What KaTeX renders is checked apart. */
const allowed: Record<string, readonly string[]> = {
  a: ['href', 'title', 'target', 'rel', 'aria-label'],
  blockquote: ['data-note'],
  button: ['type', 'class', 'title', 'aria-expanded', 'aria-label', 'aria-pressed'],
  code: ['class'],
  div: ['class'],
  figure: ['class', 'aria-label', 'data-table', 'data-folded', 'tabindex'],
  img: ['src', 'alt', 'title', 'loading', 'decoding', 'referrerpolicy', 'data-loading'],
  li: ['class', 'id', 'tabindex'],
  ol: ['start'],
  p: ['class'],
  pre: ['tabindex'],
  section: ['class', 'aria-label'],
  span: ['class', 'title', 'role', 'aria-label', 'aria-live'],
  td: ['data-align'],
  th: ['data-align', 'scope'],
}
const withoutAttributes = 'br em strong del h3 h4 h5 h6 hr ul table thead tbody tr sub sup'.split(' ')
for (const name of withoutAttributes) allowed[name] = []

const classes =
  /^(?:prose|answer|block|text-ink|underline|task|task-box|footnotes|note-title|code-(?:block|head|label|action)|tok-[a-z]+|formula-(?:display|source)|answer-image-box)$/

export function findForbiddenMarkup(root: Element): string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => {
    if (element.closest('.katex, .katex-display')) return forbiddenInFormula(element)
    if (element.closest('svg[data-icon]')) return []
    const name = element.localName
    const known = allowed[name]
    if (!known) return [`<${name}>`]
    return [...element.attributes]
      .filter((attribute) => !isAllowed(attribute, known))
      .map((a) => `${name} ${a.name}=${a.value}`)
  })
}

function isAllowed({ name, value }: Attr, known: readonly string[]): boolean {
  if (name === 'data-end') return value === ''
  if (!known.includes(name)) return false
  if (name === 'href') return /^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#_r_)/.test(value)
  if (name === 'src') return value.startsWith('/api/')
  if (name === 'class') return value.split(' ').every((part) => classes.test(part))
  if (name === 'id') return value.startsWith('_r_')
  return true
}

/** A formula may be styled freely, but may not link, load anything or leave its place. */
function forbiddenInFormula(element: Element): string[] {
  if (/^(?:a|img|script|iframe|style|link|form)$/.test(element.localName))
    return [`<${element.localName}> in a formula`]
  return [...element.attributes]
    .filter(({ name, value }) => /^on|href$|^src|^id$|^data-/.test(name) || /url\(|position:\s*fixed|evil/.test(value))
    .map(({ name, value }) => `formula ${name}=${value}`)
}
