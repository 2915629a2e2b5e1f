/** Languages with colours, and their labels above the code. */
export const languages: Record<string, string> = {
  bash: 'Bash',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  dockerfile: 'Dockerfile',
  go: 'Go',
  ini: 'INI',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  kotlin: 'Kotlin',
  markdown: 'Markdown',
  nginx: 'nginx',
  php: 'PHP',
  powershell: 'PowerShell',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  sql: 'SQL',
  swift: 'Swift',
  typescript: 'TypeScript',
  xml: 'HTML, XML',
  yaml: 'YAML',
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

const extensions: Record<string, string> = {
  bash: 'sh',
  csharp: 'cs',
  dockerfile: 'dockerfile',
  javascript: 'js',
  kotlin: 'kt',
  markdown: 'md',
  nginx: 'conf',
  powershell: 'ps1',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  typescript: 'ts',
  yaml: 'yml',
}
/** These words after a fence are extensions as they are. */
const exact = new Set(['csv', 'h', 'hpp', 'htm', 'html', 'jsx', 'svg', 'toml', 'tsx', 'txt', 'vue'])

/** The extension of a file with this code. */
export function extensionOf(word: string | null): string {
  const name = word?.toLowerCase() ?? ''
  if (exact.has(name)) return name
  const language = findLanguage(name)
  return language === null ? 'txt' : (extensions[language] ?? language)
}

const LABEL_LIMIT = 24

export function languageLabel(word: string | null): string {
  const name = word?.toLowerCase() ?? ''
  if (name === 'html' || name === 'svg' || name === 'toml') return name === 'toml' ? 'TOML' : name.toUpperCase()
  const found = findLanguage(word)
  return (found && languages[found]) || (word ?? '').slice(0, LABEL_LIMIT) || 'Код'
}
