import hljs from 'highlight.js/lib/core'
import { languageLoaders } from './language-loaders.ts'
import { flatten, type Token } from './tokens.ts'

/** Loads a language and the languages that may be embedded in it. */
export async function loadLanguage(name: string): Promise<void> {
  const language = languageLoaders[name]
  if (!language || hljs.getLanguage(name)) return
  const [own] = await Promise.all([language.load(), ...(language.inner ?? []).map(loadLanguage)])
  hljs.registerLanguage(name, own.default)
  // Compiles its rules, which takes as long as using them: the code is read in another task.
  hljs.highlight('', { language: name })
  await new Promise((done) => setTimeout(done))
}

/**
 * Splits code into tokens of a loaded language. They come from the library's tree and not from its HTML, so no markup
 * has to be trusted. Code whose tokens do not add up to it stays without colours.
 */
export function tokenize(code: string, name: string): Token[] {
  const { _emitter: tree } = hljs.highlight(code, { language: name, ignoreIllegals: true })
  const tokens = 'rootNode' in tree ? flatten(tree.rootNode) : []
  const isWhole = tokens.reduce((length, { text }) => length + text.length, 0) === code.length
  return isWhole ? tokens : [{ text: code, kind: null }]
}
