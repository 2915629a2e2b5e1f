import { readFileSync, writeFileSync } from 'node:fs'
import { Env } from '#server/config.ts'
import { configReference, namesByPattern, undocumentedNames } from '#server/config-reference.ts'

/** Writes docs/settings.md and .env.example from the server's settings; with --check says whether they are current. */

type Setting = (typeof configReference)[number]['settings'][number]

const UNSET = 'не задано'
const defaults: Record<string, unknown> = Env.parse({})
const problems = undescribed()
const files = { 'docs/settings.md': settingsPage(), '.env.example': envExample() }

for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) problems.push(`${path} is not current: npm run docs:settings`)
}
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)

/** Every setting of the schema is described once, and nothing else is. */
function undescribed(): string[] {
  const known = [...Object.keys(Env.shape), ...Object.values(namesByPattern).flat()]
  const described = [...undocumentedNames, ...configReference.flatMap((topic) => topic.settings.flatMap(namesOf))]
  return [
    ...known.filter((name) => !described.includes(name)).map((name) => `config-reference.ts lacks ${name}`),
    ...described.filter((name) => !known.includes(name)).map((name) => `config.ts has no ${name}`),
    ...described.filter((name, index) => described.indexOf(name) !== index).map((name) => `${name} is described twice`),
  ]
}

function settingsPage(): string {
  const topics = configReference.map(({ title, settings }) =>
    [
      `## ${title}`,
      '',
      '| Настройка | По умолчанию | Что значит |',
      '| --- | --- | --- |',
      ...settings.map((setting) => `| ${inlineCode(namesOf(setting))} | ${defaultOf(setting)} | ${setting.means} |`),
    ].join('\n'),
  )
  return `${[
    '# Настройки',
    '<!-- Made by `npm run docs:settings` from server/config.ts and server/config-reference.ts. -->',
    'Все настройки берутся из переменных окружения и проверяются при запуске: неверная будет названа вместе с исправлением, и сервер не поднимется. Пустая строка значит «не задано». Файл `.env` сам не читается; если он вам удобен, скопируйте в него `.env.example` и запускайте `node --env-file=.env $(node --env-file=.env scripts/server-flags.mjs) scripts/start.mjs`. Подробности о работе в production — в [operations](operations/README.md).',
    ...topics,
  ].join('\n\n')}\n`
}

function envExample(): string {
  const topics = configReference.map(({ title, settings }) =>
    [
      `# --- ${title} ---`,
      ...settings.flatMap((setting) => [
        '',
        ...wrap(setting.means.replaceAll('`', '')).map((line) => `# ${line}`),
        ...namesOf(setting).map((name) => `# ${name}=${quoted(setting.example ?? plainDefault(name))}`),
      ]),
    ].join('\n'),
  )
  const head = [
    '# Настройки сервера. Ни одна не обязательна, чтобы попробовать; полная таблица в docs/settings.md.',
    '# Запуск с этим файлом: node --env-file=.env $(node --env-file=.env scripts/server-flags.mjs) scripts/start.mjs',
  ].join('\n')
  return `${[head, ...topics].join('\n\n')}\n`
}

function namesOf({ name }: Setting): string[] {
  return Array.isArray(name) ? name : [name]
}

function defaultOf(setting: Setting): string {
  if (setting.usual) return setting.usual
  const shown = namesOf(setting).map(plainDefault).filter(Boolean)
  return shown.length > 0 ? inlineCode(shown) : UNSET
}

/** The default as one would write it: a list is empty, a flag is 0. */
function plainDefault(name: string): string {
  const value = defaults[name]
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return ''
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}

function inlineCode(names: string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

function quoted(value: string): string {
  return /[\s#]/.test(value) ? `"${value}"` : value
}

function wrap(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.pop()
    if (last === undefined) lines.push(word)
    else if (last.length + word.length > 108) lines.push(last, word)
    else lines.push(`${last} ${word}`)
  }
  return lines
}
