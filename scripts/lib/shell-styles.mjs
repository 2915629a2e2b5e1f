import postcss from 'postcss'

/**
 * The part of the built styles that some HTML needs for its first paint. It is written into the page, so that the
 * layout is painted before the whole stylesheet has come.
 */
export function stylesFor(css, html) {
  const classes = new Set([...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names]) => decoded(names).split(/\s+/)))
  const tags = new Set(['html', 'body', ...[...html.matchAll(/<([a-z]\w*)/g)].map(([, tag]) => tag)])
  const root = postcss.parse(css)
  root.walkRules((rule) => {
    if (isKeyframe(rule)) return
    const selectors = rule.selectors.filter((selector) => canMatch(selector, classes, tags))
    if (selectors.length > 0) rule.selectors = selectors
    else rule.remove()
  })
  root.walkAtRules('media', (rule) => {
    if (rule.params === 'print') rule.remove()
  })
  while (removeUnused(root));
  return root.toString()
}

const entities = { '&amp;': '&', '&gt;': '>', '&lt;': '<', '&quot;': '"' }
const decoded = (text) => text.replaceAll(/&\w+;/g, (name) => entities[name] ?? name)
const isKeyframe = ({ parent }) => parent.type === 'atrule' && parent.name === 'keyframes'

/** Conditions in brackets count as met. Nothing is hovered, pressed or disabled at the first paint. */
function canMatch(selector, classes, tags) {
  if (/:(hover|active|disabled)\b|:-moz-|::(-webkit-|file-)/.test(selector)) return false
  const plain = selector.replaceAll(/\\./g, (escaped) => `\\${escaped.codePointAt(1)};`).replaceAll(/[([].*?[)\]]/g, '')
  const named = [...plain.matchAll(/\.((?:[\w-]|\\\d+;)+)/g)].map(([, name]) =>
    name.replaceAll(/\\(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
  )
  const elements = [...plain.matchAll(/(?:^|[\s>+~])([a-z]\w*)/g)].map(([, tag]) => tag)
  return named.every((name) => classes.has(name)) && elements.every((tag) => tags.has(tag))
}

/** Removes variables, animations and fonts that nothing refers to, and empty rules; says whether there were any. */
function removeUnused(root) {
  const css = root.toString()
  const variables = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
  const animations = [...css.matchAll(/animat[\w-]+:([^;}]+)/g)].map(([, value]) => value)
  const families = [...css.matchAll(/font-family:([^;}]+)|--font-[\w-]+:([^;}]+)/g)].map(([all]) => all)
  let removed = false
  const remove = (node) => {
    removed = true
    node.remove()
  }
  root.walkDecls(/^--/, (declaration) => {
    if (!variables.has(declaration.prop)) remove(declaration)
  })
  root.walkAtRules((rule) => {
    const isUnused = {
      property: () => !variables.has(rule.params),
      keyframes: () => !animations.some((value) => value.includes(rule.params)),
      'font-face': () => families.filter((value) => value.includes(familyOf(rule))).length < 2,
    }
    if (isUnused[rule.name]?.()) remove(rule)
  })
  root.walk((node) => {
    if (node.nodes?.length === 0 && node.name !== 'layer') remove(node)
  })
  return removed
}

const familyOf = (rule) => rule.nodes.find(({ prop }) => prop === 'font-family')?.value ?? ''
