/** A title never ends in one of these: prepositions, conjunctions, relative pronouns. */
const connectors = new Set(
  `без в во для до за и из или к ко между на над но о об обо около от перед по под при про против ради с сверх со среди
  у через чтобы который которая которое которые`.split(/\s+/),
)
/** These words may end a complete sentence, but not one that was cut off after them. */
const needContinuation = new Set(
  'а бы если ещё же именно как когда не ни так также то тоже только чем что это'.split(' '),
)

/** Removes words at the end that need a continuation, and the punctuation before them. */
export function withoutDanglingEnd(text: string, isCut = true): string {
  const bare = text.replace(/[\s.,:;!?—–(«"-]+$/u, '')
  const at = bare.lastIndexOf(' ')
  const last = bare.slice(at + 1)
  const leadsOn = connectors.has(last) || (isCut && needContinuation.has(last))
  return at > 0 && leadsOn ? withoutDanglingEnd(bare.slice(0, at)) : bare
}

/** Cuts a text to at most so many symbols, not after a word that needs a continuation, and marks the cut with «…». */
export function cutAtWord(text: string, symbols: number): string {
  if (text.length <= symbols) return text
  const cut = text.slice(0, symbols - 1)
  const end = /[\p{L}\p{N}]/u.test(text[symbols - 1] ?? '') ? cut.lastIndexOf(' ') : cut.length
  // A single long word, without half of a surrogate pair.
  if (end < symbols / 2) return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`
  return `${withoutDanglingEnd(cut.slice(0, end))}…`
}
