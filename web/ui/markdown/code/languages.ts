import type { LanguageFn } from 'highlight.js'

interface Language {
  /** Shown above the code. */
  label: string
  load: () => Promise<{ default: LanguageFn }>
  /** Languages that may be embedded in it. */
  inner?: readonly string[]
}

/** Languages with colours. Each is loaded with the first code written in it. */
export const languages: Record<string, Language> = {
  bash: { label: 'Bash', load: () => import('highlight.js/lib/languages/bash') },
  c: { label: 'C', load: () => import('highlight.js/lib/languages/c') },
  cpp: { label: 'C++', load: () => import('highlight.js/lib/languages/cpp') },
  csharp: { label: 'C#', load: () => import('highlight.js/lib/languages/csharp') },
  css: { label: 'CSS', load: () => import('highlight.js/lib/languages/css') },
  diff: { label: 'Diff', load: () => import('highlight.js/lib/languages/diff') },
  dockerfile: { label: 'Dockerfile', load: () => import('highlight.js/lib/languages/dockerfile'), inner: ['bash'] },
  go: { label: 'Go', load: () => import('highlight.js/lib/languages/go') },
  ini: { label: 'INI', load: () => import('highlight.js/lib/languages/ini') },
  java: { label: 'Java', load: () => import('highlight.js/lib/languages/java') },
  javascript: { label: 'JavaScript', load: () => import('highlight.js/lib/languages/javascript') },
  json: { label: 'JSON', load: () => import('highlight.js/lib/languages/json') },
  kotlin: { label: 'Kotlin', load: () => import('highlight.js/lib/languages/kotlin') },
  markdown: { label: 'Markdown', load: () => import('highlight.js/lib/languages/markdown') },
  nginx: { label: 'nginx', load: () => import('highlight.js/lib/languages/nginx') },
  php: { label: 'PHP', load: () => import('highlight.js/lib/languages/php') },
  powershell: { label: 'PowerShell', load: () => import('highlight.js/lib/languages/powershell') },
  python: { label: 'Python', load: () => import('highlight.js/lib/languages/python') },
  ruby: { label: 'Ruby', load: () => import('highlight.js/lib/languages/ruby') },
  rust: { label: 'Rust', load: () => import('highlight.js/lib/languages/rust') },
  sql: { label: 'SQL', load: () => import('highlight.js/lib/languages/sql') },
  swift: { label: 'Swift', load: () => import('highlight.js/lib/languages/swift') },
  typescript: { label: 'TypeScript', load: () => import('highlight.js/lib/languages/typescript') },
  xml: { label: 'HTML, XML', load: () => import('highlight.js/lib/languages/xml'), inner: ['css', 'javascript'] },
  yaml: { label: 'YAML', load: () => import('highlight.js/lib/languages/yaml') },
}

const otherNames: Record<string, string> = {
  'c#': 'csharp',
  'c++': 'cpp',
  cjs: 'javascript',
  console: 'bash',
  cs: 'csharp',
  docker: 'dockerfile',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  htm: 'xml',
  html: 'xml',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  mysql: 'sql',
  patch: 'diff',
  postgres: 'sql',
  postgresql: 'sql',
  ps1: 'powershell',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  sqlite: 'sql',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
  zsh: 'bash',
}

/** The language for the word after a fence, or null for one without colours. */
export function findLanguage(word: string | null): string | null {
  const name = word?.toLowerCase() ?? ''
  const found = Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name
  return Object.hasOwn(languages, found) ? found : null
}

const LABEL_LIMIT = 24

/** The label above a code block. */
export function languageLabel(word: string | null): string {
  const name = word?.toLowerCase() ?? ''
  if (name === 'html' || name === 'svg' || name === 'toml') return name === 'toml' ? 'TOML' : name.toUpperCase()
  const found = findLanguage(word)
  return (found && languages[found]?.label) || (word ?? '').slice(0, LABEL_LIMIT) || 'Код'
}
