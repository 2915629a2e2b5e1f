import type { LanguageFn } from 'highlight.js'

interface LanguageLoader {
  load: () => Promise<{ default: LanguageFn }>
  /** Languages that may be embedded in it. */
  inner?: readonly string[]
}

/** Each language is loaded with the first code written in it; the addresses of all come with the highlighter. */
export const languageLoaders: Record<string, LanguageLoader> = {
  bash: { load: () => import('highlight.js/lib/languages/bash') },
  c: { load: () => import('highlight.js/lib/languages/c') },
  cpp: { load: () => import('highlight.js/lib/languages/cpp') },
  csharp: { load: () => import('highlight.js/lib/languages/csharp') },
  css: { load: () => import('highlight.js/lib/languages/css') },
  diff: { load: () => import('highlight.js/lib/languages/diff') },
  dockerfile: { load: () => import('highlight.js/lib/languages/dockerfile'), inner: ['bash'] },
  go: { load: () => import('highlight.js/lib/languages/go') },
  ini: { load: () => import('highlight.js/lib/languages/ini') },
  java: { load: () => import('highlight.js/lib/languages/java') },
  javascript: { load: () => import('highlight.js/lib/languages/javascript') },
  json: { load: () => import('highlight.js/lib/languages/json') },
  kotlin: { load: () => import('highlight.js/lib/languages/kotlin') },
  markdown: { load: () => import('highlight.js/lib/languages/markdown') },
  nginx: { load: () => import('highlight.js/lib/languages/nginx') },
  php: { load: () => import('highlight.js/lib/languages/php') },
  powershell: { load: () => import('highlight.js/lib/languages/powershell') },
  python: { load: () => import('highlight.js/lib/languages/python') },
  ruby: { load: () => import('highlight.js/lib/languages/ruby') },
  rust: { load: () => import('highlight.js/lib/languages/rust') },
  sql: { load: () => import('highlight.js/lib/languages/sql') },
  swift: { load: () => import('highlight.js/lib/languages/swift') },
  typescript: { load: () => import('highlight.js/lib/languages/typescript') },
  xml: { load: () => import('highlight.js/lib/languages/xml'), inner: ['css', 'javascript'] },
  yaml: { load: () => import('highlight.js/lib/languages/yaml') },
}
