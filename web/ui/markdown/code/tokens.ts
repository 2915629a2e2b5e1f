/** A piece of code; its kind decides its colour, and plain text has none. */
export interface Token {
  text: string
  kind: TokenKind | null
}

export type TokenKind =
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'title'
  | 'type'
  | 'attribute'
  | 'meta'
  | 'added'
  | 'removed'
  | 'strong'

/** highlight.js has more scopes than there are colours that can be distinguished. */
const kinds: Record<string, TokenKind> = {
  keyword: 'keyword',
  literal: 'keyword',
  operator: 'keyword',
  'variable.language': 'keyword',
  'selector-tag': 'keyword',
  name: 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  code: 'string',
  number: 'number',
  symbol: 'number',
  'variable.constant': 'number',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  title: 'title',
  section: 'title',
  'selector-id': 'title',
  'selector-class': 'title',
  built_in: 'type',
  type: 'type',
  'title.class': 'type',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  variable: 'attribute',
  'template-variable': 'attribute',
  'selector-attr': 'attribute',
  'selector-pseudo': 'attribute',
  bullet: 'attribute',
  meta: 'meta',
  addition: 'added',
  deletion: 'removed',
  strong: 'strong',
}

/** Flattens the tree of highlight.js: a node without a colour inherits its parent's. */
export function flatten(tree: unknown): Token[] {
  const tokens: Token[] = []
  collect(tree, null, tokens)
  return tokens
}

function collect(node: unknown, kind: TokenKind | null, tokens: Token[]): void {
  if (typeof node === 'string') add(tokens, node, kind)
  if (typeof node !== 'object' || node === null || !('children' in node) || !Array.isArray(node.children)) return
  const own = 'scope' in node && typeof node.scope === 'string' ? kindOf(node.scope, kind) : kind
  for (const child of node.children) collect(child, own, tokens)
}

function kindOf(scope: string, outer: TokenKind | null): TokenKind | null {
  // Code inside a string, `${…}`, is not highlighted as a string.
  if (scope === 'subst') return null
  const [first = ''] = scope.split('.')
  for (const name of [scope, first]) if (Object.hasOwn(kinds, name)) return kinds[name] ?? outer
  return outer
}

function add(tokens: Token[], text: string, kind: TokenKind | null): void {
  const last = tokens.at(-1)
  if (last?.kind === kind) last.text += text
  else tokens.push({ text, kind })
}
