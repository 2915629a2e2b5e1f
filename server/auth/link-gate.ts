import { verifyJWT } from 'better-auth/crypto'
import * as z from 'zod'
import type { Db } from '#server/db/client.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { refuseForeign } from '#server/http/security.ts'
import type { Auth } from './auth.ts'
import { BASE_PATH, html } from './compat/pages.ts'
import { deviceIn, isMarkedBy } from './device.ts'
import { isKnownDevice } from './known-devices.ts'
import { carried, type Landing, landingOf, landings, type Question, questionPage } from './links.ts'
import { socialProviders } from './provider-ids.ts'
import { sessionOf } from './session.ts'
import { emailOfSignIn } from './sign-in-token.ts'

/**
 * Stands before everything that a link of an email does. A link acts at once in the browser that asked for it, or for
 * whom it belongs to; anybody else, a mail scanner too, gets a page with a button, and only the button acts.
 * Gives the request for the library, or the page.
 */
export async function passLink(auth: Auth, db: Db, request: Request): Promise<Request | Response> {
  const url = new URL(request.url)
  const landing = landingOf(url.pathname.slice(BASE_PATH.length).replace(/\/+$/, ''))
  if (!landing) return request
  if (request.method === 'POST') {
    // The deletion by POST with a token in its body is another call.
    if (!url.pathname.startsWith(BASE_PATH + landing)) return request
    // Only a page of ours may press the button.
    refuseForeign(request.headers, auth.options.trustedOrigins)
    return onward(request, landing, new URLSearchParams(await request.text()))
  }
  const { headers } = request
  const query = url.searchParams
  const asks = await questionFor({ auth, db, headers, query, token: query.get('token') ?? '' }, landing)
  const isVisit = request.method === 'GET' && !headers.has('sec-purpose') && !headers.has('purpose')
  if (asks === null || (asks === 'nothing' && isVisit)) return onward(request, landing, query)
  const question = asks === 'nothing' ? plain[landing] : asks
  const fields = carried.flatMap((name): [string, string][] => (query.get(name) ? [[name, query.get(name) ?? '']] : []))
  return html(questionPage(question, BASE_PATH + landing, fields, auth.options.appName))
}

/** The call behind a landing, as the library expects it. */
function onward(request: Request, landing: Landing, given: URLSearchParams): Request {
  const query = new URLSearchParams()
  for (const name of carried) {
    const value = given.get(name)
    if (value) query.set(name, value)
  }
  const isOpened = new URL(request.url).pathname.endsWith('/open')
  if (landing === '/magic-link/open' && isOpened && !query.has('errorCallbackURL'))
    query.set('errorCallbackURL', '/auth/signin')
  const headers = new Headers(request.headers)
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) headers.delete(name)
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  return new Request(new URL(`${BASE_PATH}${landings[landing]}?${query}`, request.url), { method, headers })
}

interface Opened {
  auth: Auth
  db: Db
  headers: Headers
  query: URLSearchParams
  token: string
}

/** What to ask before acting; `nothing` acts at once; null is a link that changes nothing, whatever the library says. */
type Asks = Question | 'nothing' | null

function questionFor(opened: Opened, landing: Landing): Promise<Asks> {
  const ask = {
    '/magic-link/open': ofSignIn,
    '/verify-email/open': ofAddress,
    '/delete-user/open': ofDeletion,
    '/join-account/open': ofJoining,
  }[landing]
  return ask(opened)
}

/** Shown to what asks for the head of a page, or fetches it before anybody wants to see it. */
const plain: Record<Landing, Question> = {
  '/magic-link/open': { title: 'Вход', text: [], button: 'Войти' },
  '/verify-email/open': { title: 'Подтверждение почты', text: [], button: 'Подтвердить' },
  '/delete-user/open': { title: 'Удаление аккаунта', text: [], button: 'Удалить навсегда' },
  '/join-account/open': { title: 'Привязать сервис', text: [], button: 'Привязать' },
}

async function ofSignIn(opened: Opened): Promise<Asks> {
  const email = await emailOfSignIn((await opened.auth.$context).internalAdapter, opened.token)
  if (!email) return null
  const session = await sessionIn(opened)
  if (session?.user.email === email && !session.impersonatedBy) return 'nothing'
  if (session) return switching(session, email)
  if (wasAskedHere(opened)) return 'nothing'
  return {
    title: `Войти как ${email}?`,
    text: ['Ссылка открыта не в том браузере, где её запросили, поэтому нужно ваше подтверждение.'],
    button: `Войти как ${email}`,
  }
}

function switching({ user }: CurrentSession, email: string): Question {
  return {
    title: `Вы вошли как ${user.email}. Войти как ${email}?`,
    text: ['Если вы не просили о входе в другой аккаунт, останьтесь в своём.'],
    button: `Войти как ${email}`,
    stay: `Остаться как ${user.email}`,
  }
}

const AddressToken = z.object({
  email: z.string(),
  updateTo: z.string().optional(),
  requestType: z.string().optional(),
})

async function ofAddress(opened: Opened): Promise<Asks> {
  const { auth, db, token } = opened
  const payload = AddressToken.safeParse(await verifyJWT(token, (await auth.$context).secret).catch(() => null))
  const found = payload.success ? await userByEmail(auth, payload.data.email) : null
  if (!payload.success || !found) return null
  const { email, updateTo, requestType } = payload.data
  const session = await sessionIn(opened)
  if (isOwn(session, found.user.id)) return 'nothing'
  // The library refuses these in somebody else's session by itself.
  if (updateTo && session) return null
  if (!updateTo && found.user.emailVerified) return null
  if (await isKnownDevice(db, found.user.id, deviceOf(opened))) return 'nothing'
  if (updateTo) return requestType === 'change-email-confirmation' ? allowing(updateTo) : moving(email, updateTo)
  const question = confirming(email, found.accounts)
  if (!session) return question
  return { ...question, title: `Вы вошли как ${session.user.email}. Войти как ${email}?`, ...stayingAs(session) }
}

const stayingAs = ({ user }: CurrentSession) => ({ stay: `Остаться как ${user.email}` })

/** Whoever opens the letter owns the address; whoever signed up with it may be somebody else. */
function confirming(email: string, accounts: { providerId: string }[]): Question {
  const ways = accounts.map(({ providerId }) => signInMethodLabel(providerId))
  const lost = `Для этого адреса уже задали ${ways.join(', ')}, и неизвестно, вы ли это были. Чтобы чужой человек не вошёл, это перестанет действовать: новый пароль можно задать в профиле.`
  const kept = 'Если это были вы, откройте ссылку в том браузере, где регистрировались: тогда всё останется как есть.'
  return {
    title: `Подтвердить почту ${email}?`,
    text: ways.length > 0 ? [lost, kept] : [],
    button: 'Подтвердить и войти',
  }
}

function signInMethodLabel(providerId: string): string {
  if (providerId === 'credential') return 'пароль'
  return `вход через ${providerId in socialProviders ? socialProviders[providerId as keyof typeof socialProviders] : providerId}`
}

const allowing = (updateTo: string): Question => ({
  title: `Сменить почту на ${updateTo}?`,
  text: ['После этого на новый адрес придёт ещё одно письмо.'],
  button: 'Разрешить смену почты',
})

const moving = (email: string, updateTo: string): Question => ({
  title: `Подтвердить новую почту ${updateTo}?`,
  text: [
    `Она станет почтой аккаунта ${email}. Если это не ваш аккаунт, закройте страницу.`,
    'В этом браузере в аккаунт ещё не входили, поэтому прежние сеансы, пароль и привязанные сервисы перестанут действовать: войти можно будет по ссылке из письма.',
  ],
  button: 'Подтвердить новую почту',
})

/** The library deletes in the owner's session only; elsewhere there is nothing to ask about. */
async function ofDeletion(opened: Opened): Promise<Asks> {
  const owner = await rowOf(opened.auth, `delete-account-${opened.token}`)
  const session = await sessionIn(opened)
  if (!owner || !session || !isOwn(session, owner)) return null
  if (wasAskedHere(opened)) return 'nothing'
  return {
    title: `Удалить аккаунт ${session.user.email}?`,
    text: ['Вместе с ним удалятся чаты, файлы, картинки и остаток символов. Вернуть их будет нельзя.'],
    button: 'Удалить навсегда',
    stay: 'Оставить аккаунт',
  }
}

/** Works only where it was asked for, and signs nobody in. */
const ofJoining = async (opened: Opened): Promise<Asks> => (wasAskedHere(opened) ? 'nothing' : null)

const deviceOf = ({ auth, headers }: Opened) => deviceIn(headers, auth.options.baseURL)

function wasAskedHere(opened: Opened): boolean {
  const { auth, token, query } = opened
  return isMarkedBy(auth.options.secret, deviceOf(opened), token, query.get('from'))
}

const sessionIn = ({ auth, headers }: Opened) => sessionOf(auth, headers)

/** An admin behind somebody's eyes is not that person. */
const isOwn = (session: CurrentSession | null, userId: string) => session?.user.id === userId && !session.impersonatedBy

async function rowOf(auth: Auth, identifier: string): Promise<string | null> {
  const row = await (await auth.$context).internalAdapter.findVerificationValue(identifier)
  return row && row.expiresAt > new Date() ? row.value : null
}

async function userByEmail(auth: Auth, email: string) {
  return (await auth.$context).internalAdapter.findUserByEmail(email, { includeAccounts: true })
}
