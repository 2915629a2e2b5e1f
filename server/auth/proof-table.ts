import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { BASE_PATH } from './compat/responses.ts'
import { landings } from './links.ts'

/**
 * A thief must not be able to turn a stolen session into an account. Every call that adds, removes or changes a
 * way in says `proof` in the contract; every other call is listed here with the reason why it says nothing. A call of
 * the library that is in neither place cannot be reached.
 */

/** Calls under the library's base path, by the reason why they ask for no proof. */
export const needNoProof: Record<string, string[]> = {
  'it is a way in or a step of one, and checks a password, a code, a key or a provider itself': [
    'POST /sign-in/magic-link',
    'POST /sign-in/email-code',
    'POST /sign-in/email',
    'POST /sign-in/social',
    'POST /sign-up/email',
    'POST /two-factor/verify-totp',
    'POST /two-factor/verify-backup-code',
    'GET /passkey/generate-authenticate-options',
    'POST /passkey/verify-authentication',
    'GET /callback/:id',
    'POST /callback/:id',
  ],
  'it is the proof, or says which one is possible': [
    'GET /proof',
    'POST /proof/password',
    'POST /proof/passkey',
    'POST /proof/send-code',
    'POST /proof/email-code',
  ],
  'it sends an email to the owner of the address and changes nothing': [
    'POST /request-password-reset',
    'POST /forget-password',
    'POST /send-verification-email',
  ],
  'it carries a token that was emailed to the owner of the address': [
    'POST /reset-password',
    'GET /reset-password/:token',
    'GET /verify-email',
    'GET /magic-link/verify',
    'GET /join-account',
    'GET /delete-user/callback',
    ...Object.keys(landings).flatMap((landing) => [`GET ${landing}`, `POST ${landing}`]),
  ],
  'it ends only the session that calls': ['POST /sign-out', 'POST /admin/stop-impersonating'],
  'it reads, and shows nothing that opens the account': [
    'GET /get-session',
    'GET /list-accounts',
    'GET /two-factor/state',
    'GET /passkey/list-user-passkeys',
    'POST /admin/has-permission',
    'GET /ok',
    'GET /error',
  ],
  'it changes name and image': ['POST /update-user'],
  'it uses what is linked already, at the provider': [
    'POST /get-access-token',
    'POST /refresh-token',
    'POST /account-info',
  ],
  'it reads accounts of others, for admins only': [
    'GET /admin/list-users',
    'GET /admin/get-user',
    'POST /admin/list-user-sessions',
  ],
  'it shuts others out or lets them back in, and an admin has to do that at once': [
    'POST /admin/ban-user',
    'POST /admin/unban-user',
    'POST /admin/revoke-user-session',
    'POST /admin/revoke-user-sessions',
  ],
}

/** Sections of the contract that are about content, money and the installation, not about who may sign in. */
export const sectionsWithoutWaysIn: string[] = [
  ...['Пользователи', 'Пользователи: администратору', 'Модели', 'Модели: администратору', 'Чаты', 'Ответы'],
  ...['Поиск в интернете', 'Сжатие чатов', 'Оценки', 'Ассистенты', 'Файлы', 'Сканы', 'Изображения', 'Расшифровки'],
  ...['Документы по записям', 'Перенос чатов', 'Проекты', 'Ключи API', 'Ключи API: администратору'],
  ...['Вопрос без чата', 'Баланс', 'Операции', 'Операции: администратору', 'Оспоренные списания', 'Тарифы', 'Пакеты'],
  ...[
    'Оплата',
    'Платёжные системы',
    'Заказы: администратору',
    'События оплаты',
    'Промокоды',
    'Промпты',
    'Каталог промптов',
    'Статистика',
  ],
  ...['Состояние', 'Журнал', 'Ограничения', 'Документы и согласия', 'Документы: администратору', 'Помощь', 'Страница'],
  ...['Сборки', 'Здоровье', 'Вопрос со страницы входа'],
]

const calls = new Map(
  Object.values(api)
    .flatMap((section) => Object.values<Endpoint>(section))
    .filter(({ path }) => path.startsWith(`${BASE_PATH}/`))
    .map((call) => [`${call.method} ${call.path.slice(BASE_PATH.length)}`, call]),
)
const listed = Object.values(needNoProof).flat()
const exact = new Set(listed)
const withParams = listed
  .filter((name) => name.includes(':'))
  .map((name) => new RegExp(`^${name.replace(/:\w+/g, '[^/]+')}$`))

export interface KnownCall {
  /** Missing for calls that only links and providers use. */
  call?: Endpoint | undefined
}

/** The call behind a request under the library's base path; null when it is in neither place. */
export function knownCall(method: string, pathname: string): KnownCall | null {
  const path = pathname.slice(BASE_PATH.length).replace(/\/+$/, '')
  const name = `${method === 'HEAD' ? 'GET' : method} ${path}`
  const call = calls.get(name)
  if (call?.proof || exact.has(name)) return { call }
  return withParams.some((pattern) => pattern.test(name)) ? {} : null
}
