import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { type AuthForm, type ProviderKeys, type ProviderKind, profiles, type ThinkingStyle } from './profile.ts'

const OPENAI = 'https://api.openai.com/v1'

/** The settings of a provider, each as `PROVIDER_<NAME>_…`. */
export const providerSettings = [
  'API_KEY',
  'BASE_URL',
  'KIND',
  'PROJECT',
  'AUTH',
  'HEADERS',
  'CA',
  'SCOPE',
  'TOKEN_URL',
  'THINKING',
] as const
type Setting = (typeof providerSettings)[number]

interface ReadProviders {
  configured: ProviderKeys[]
  problems: string[]
}

/** Reads `OPENAI_…` and any number of `PROVIDER_<NAME>_…`. */
export function readModelProviders(env: NodeJS.ProcessEnv): ReadProviders {
  const all: ReadProviders = { configured: [], problems: [] }
  if (env.OPENAI_API_KEY || env.OPENAI_BASE_URL) {
    add(all, 'openai', 'OPENAI', { BASE_URL: env.OPENAI_BASE_URL || OPENAI, API_KEY: env.OPENAI_API_KEY })
  }
  for (const name of namesIn(env)) {
    const prefix = `PROVIDER_${name}`
    const given = Object.fromEntries(providerSettings.map((key) => [key, env[`${prefix}_${key}`] || undefined]))
    if (Object.values(given).some(Boolean)) add(all, name.toLowerCase(), prefix, given)
  }
  return all
}

const NAME = new RegExp(`^PROVIDER_([A-Z0-9_]+?)_(?:${providerSettings.join('|')})$`)

const namesIn = (env: NodeJS.ProcessEnv) => new Set(Object.keys(env).flatMap((key) => NAME.exec(key)?.[1] ?? []))

function add(
  all: ReadProviders,
  name: string,
  prefix: string,
  given: Partial<Record<Setting, string | undefined>>,
): void {
  const problems: string[] = []
  const complain = (setting: Setting, sentence: string) => problems.push(`${prefix}_${setting}: ${sentence}`)
  const kind = oneOf(kinds, given.KIND ?? 'openai') ?? 'openai'
  if (given.KIND && !oneOf(kinds, given.KIND)) complain('KIND', `нужно ${either(kinds)}`)
  const profile = profiles[kind]

  const baseUrl = given.BASE_URL ?? profile.baseUrl ?? ''
  if (!isAddress(baseUrl)) complain('BASE_URL', 'нужен адрес, например https://api.example.ru/v1')
  if (kind !== 'openai' && !given.API_KEY) complain('API_KEY', `нужен ключ: без него ${kind} не отвечает`)
  if (kind === 'yandex' && !given.PROJECT) complain('PROJECT', 'нужен идентификатор каталога, например b1g0abc…')

  const auth = oneOf(authForms, given.AUTH)
  if (given.AUTH && !auth) complain('AUTH', `нужно ${either(authForms)}`)
  const thinking = oneOf(profile.thinking === 'native' ? ['off' as const] : styles, given.THINKING)
  if (given.THINKING && !thinking) {
    complain('THINKING', profile.thinking === 'native' ? 'у этого вида можно только off' : `нужно ${either(styles)}`)
  }
  for (const setting of ['SCOPE', 'TOKEN_URL'] as const) {
    if (given[setting] && profile.auth !== 'sber') complain(setting, 'нужно только для KIND=gigachat и salute, уберите')
  }
  if (given.TOKEN_URL && !isAddress(given.TOKEN_URL)) complain('TOKEN_URL', 'нужен адрес, куда просить токен')

  const headers = given.HEADERS === undefined ? undefined : readHeaders(given.HEADERS)
  if (headers === null) complain('HEADERS', 'нужны заголовки вида «Имя: значение; Имя2: значение», кроме служебных')
  const ca = given.CA === undefined ? undefined : readCertificates(given.CA)
  if (ca === null) complain('CA', `нужен файл с корневым сертификатом, а «${given.CA}» не читается или это не он`)

  all.problems.push(...problems)
  if (problems.length > 0) return
  all.configured.push({
    name,
    baseUrl,
    apiKey: given.API_KEY ?? null,
    kind,
    ...(auth ? { auth } : {}),
    ...(thinking ? { thinking } : {}),
    ...(headers ? { headers } : {}),
    ...(ca ? { ca } : {}),
    ...(given.PROJECT ? { project: given.PROJECT } : {}),
    ...(given.SCOPE ? { scope: given.SCOPE } : {}),
    ...(given.TOKEN_URL ? { tokenUrl: given.TOKEN_URL } : {}),
  })
}

const kinds: readonly ProviderKind[] = ['openai', 'yandex', 'gigachat', 'anthropic', 'gemini', 'speechkit', 'salute']
const authForms: readonly AuthForm[] = ['bearer', 'api-key', 'raw']
const styles: readonly ThinkingStyle[] = ['effort', 'openrouter', 'toggle', 'off']

const oneOf = <T extends string>(known: readonly T[], value: string | undefined) => known.find((one) => one === value)
const either = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} или ${words.at(-1)}`
const isAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Headers that cannot be set, because they depend on the body and the connection. */
const RESERVED = /^(host|connection|transfer-encoding|content-(length|type))$/i

/** «Name: value; Name2: value»; null when it is something else. */
function readHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {}
  for (const line of text.split(';').filter((part) => part.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([^:\s]+)\s*:\s*(.+?)\s*$/.exec(line) ?? []
    if (!isHeader(name, value) || RESERVED.test(name)) return null
    headers[name.toLowerCase()] = value
  }
  return headers
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return value !== ''
  } catch {
    return false
  }
}

/** The PEM of one or more certificates, also from a binary file; null when it is missing or has none. */
function readCertificates(path: string): string | null {
  try {
    const bytes = readFileSync(path)
    const found = bytes.toString('latin1').match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
    return (found ?? [bytes]).map((one) => new X509Certificate(one).toString()).join('\n')
  } catch {
    return null
  }
}
