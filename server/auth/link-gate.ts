import { verifyJWT } from 'better-auth/crypto'
import * as z from 'zod'
import { socialProviders } from '#contract/social-providers.ts'
import type { Db } from '#server/db/client.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { assertTrustedOrigin } from '#server/http/security.ts'
import type { Auth } from './auth.ts'
import { BASE_PATH, html, redirect } from './compat/responses.ts'
import { deviceIn, isKnownDevice, isSignedForDevice } from './devices.ts'
import {
  carriedParams,
  emailOfSignIn,
  type Landing,
  landingOf,
  landings,
  type Question,
  questionPage,
} from './links.ts'
import { sessionOf } from './session.ts'

/**
 * Runs before every link from an email. A link acts at once in the browser that requested it or in the owner's session;
 * any other client (also a mail scanner) gets a page with a button. Returns the request for the library, or that page.
 */
export async function confirmLink(auth: Auth, db: Db, request: Request): Promise<Request | Response> {
  const url = new URL(request.url)
  const landing = landingOf(url.pathname.slice(BASE_PATH.length).replace(/\/+$/, ''))
  if (!landing) return request
  if (request.method === 'POST') {
    // Deletion by POST with a token in the body is a different call.
    if (!url.pathname.startsWith(BASE_PATH + landing)) return request
    // Only our own page may submit the form.
    assertTrustedOrigin(request.headers, auth.options.trustedOrigins)
    return requestForLibrary(request, landing, new URLSearchParams(await request.text()))
  }
  const { headers } = request
  const query = url.searchParams
  const asks = await questionFor({ auth, db, headers, query, token: query.get('token') ?? '' }, landing)
  // Links are often opened twice: a signed-in user need not see that the link was used.
  if (asks === null && landing === '/magic-link/open' && (await sessionOf(auth, db, headers))) return redirect('/')
  const isVisit = request.method === 'GET' && !headers.has('sec-purpose') && !headers.has('purpose')
  if (asks === null || (asks === 'nothing' && isVisit)) return requestForLibrary(request, landing, query)
  const question = asks === 'nothing' ? plainQuestions[landing] : asks
  const fields = carriedParams.flatMap((name): [string, string][] =>
    query.get(name) ? [[name, query.get(name) ?? '']] : [],
  )
  return html(questionPage(question, BASE_PATH + landing, fields, auth.options.appName))
}

function requestForLibrary(request: Request, landing: Landing, given: URLSearchParams): Request {
  const query = new URLSearchParams()
  for (const name of carriedParams) {
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

interface OpenedLink {
  auth: Auth
  db: Db
  headers: Headers
  query: URLSearchParams
  token: string
}

/** What to ask first; `nothing` acts at once; null is a link that the library rejects anyway. */
type LinkDecision = Question | 'nothing' | null

function questionFor(opened: OpenedLink, landing: Landing): Promise<LinkDecision> {
  const ask = {
    '/magic-link/open': askBeforeSignIn,
    '/verify-email/open': askBeforeVerifying,
    '/delete-user/open': askBeforeDeletion,
    '/join-account/open': askBeforeJoining,
  }[landing]
  return ask(opened)
}

/** Shown to HEAD requests and prefetches. */
const plainQuestions: Record<Landing, Question> = {
  '/magic-link/open': { title: 'Вход', text: [], button: 'Войти' },
  '/verify-email/open': { title: 'Подтверждение почты', text: [], button: 'Подтвердить' },
  '/delete-user/open': { title: 'Удаление аккаунта', text: [], button: 'Удалить навсегда' },
  '/join-account/open': { title: 'Привязать сервис', text: [], button: 'Привязать' },
}

async function askBeforeSignIn(opened: OpenedLink): Promise<LinkDecision> {
  const email = await emailOfSignIn((await opened.auth.$context).internalAdapter, opened.token)
  if (!email) return null
  const session = await sessionIn(opened)
  if (session?.user.email === email && !session.impersonatedBy) return 'nothing'
  if (session) return switchQuestion(session, email)
  if (wasRequestedHere(opened)) return 'nothing'
  return {
    title: `Войти как ${email}?`,
    text: ['Ссылка открыта не в том браузере, где её запросили, поэтому нужно ваше подтверждение.'],
    button: `Войти как ${email}`,
  }
}

function switchQuestion({ user }: CurrentSession, email: string): Question {
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
  userId: z.string().optional(),
})

async function askBeforeVerifying(opened: OpenedLink): Promise<LinkDecision> {
  const { auth, db, token } = opened
  const payload = AddressToken.safeParse(await verifyJWT(token, (await auth.$context).secret).catch(() => null))
  const found = payload.success ? await userByEmail(auth, payload.data.email) : null
  if (!payload.success || !found) return null
  const { email, updateTo, requestType, userId } = payload.data
  // The address has passed to another account: the library refuses the link.
  if (userId && userId !== found.user.id) return null
  const session = await sessionIn(opened)
  if (isOwn(session, found.user.id)) return 'nothing'
  // The library rejects these in another user's session.
  if (updateTo && session) return null
  if (!updateTo && found.user.emailVerified) return null
  if (await isKnownDevice(db, found.user.id, deviceOf(opened))) return 'nothing'
  if (updateTo)
    return requestType === 'change-email-confirmation' ? allowChangeQuestion(updateTo) : moveQuestion(email, updateTo)
  const question = confirmQuestion(email, found.accounts)
  if (!session) return question
  return { ...question, title: `Вы вошли как ${session.user.email}. Войти как ${email}?`, ...stayLink(session) }
}

const stayLink = ({ user }: CurrentSession) => ({ stay: `Остаться как ${user.email}` })

/** The reader of the email owns the address; the account may have been created by someone else. */
function confirmQuestion(email: string, accounts: { providerId: string }[]): Question {
  const ways = accounts.map(({ providerId }) => signInMethodLabel(providerId))
  const lost = `Для этого адреса уже задали ${ways.join(', ')}, и неизвестно, вы ли это были. Чтобы чужой человек не вошёл, это перестанет действовать: новый пароль можно задать в профиле.`
  const keeping =
    'Если это были вы, откройте ссылку в том браузере, где регистрировались: тогда всё останется как есть.'
  return {
    title: `Подтвердить почту ${email}?`,
    text: ways.length > 0 ? [lost, keeping] : [],
    button: 'Подтвердить и войти',
  }
}

function signInMethodLabel(providerId: string): string {
  if (providerId === 'credential') return 'пароль'
  return `вход через ${providerId in socialProviders ? socialProviders[providerId as keyof typeof socialProviders] : providerId}`
}

const allowChangeQuestion = (updateTo: string): Question => ({
  title: `Сменить почту на ${updateTo}?`,
  text: ['После этого на новый адрес придёт ещё одно письмо.'],
  button: 'Разрешить смену почты',
})

const moveQuestion = (email: string, updateTo: string): Question => ({
  title: `Подтвердить новую почту ${updateTo}?`,
  text: [
    `Она станет почтой аккаунта ${email}. Если это не ваш аккаунт, закройте страницу.`,
    'В этом браузере в аккаунт ещё не входили, поэтому прежние сеансы, пароль и привязанные сервисы перестанут действовать: войти можно будет по ссылке из письма. Второй шаг входа и ключи доступа останутся.',
  ],
  button: 'Подтвердить новую почту',
})

/** The library deletes only in the owner's session. */
async function askBeforeDeletion(opened: OpenedLink): Promise<LinkDecision> {
  const owner = await rowOf(opened.auth, `delete-account-${opened.token}`)
  const session = await sessionIn(opened)
  if (!owner || !session || !isOwn(session, owner)) return null
  if (wasRequestedHere(opened)) return 'nothing'
  return {
    title: `Удалить аккаунт ${session.user.email}?`,
    text: ['Вместе с ним удалятся чаты, файлы, картинки и остаток символов. Вернуть их будет нельзя.'],
    button: 'Удалить навсегда',
    stay: 'Оставить аккаунт',
  }
}

/** Works only in the browser that requested it, and signs no one in. */
const askBeforeJoining = async (opened: OpenedLink): Promise<LinkDecision> =>
  wasRequestedHere(opened) ? 'nothing' : null

const deviceOf = ({ auth, headers }: OpenedLink) => deviceIn(headers, auth.options.baseURL)

function wasRequestedHere(opened: OpenedLink): boolean {
  const { auth, token, query } = opened
  return isSignedForDevice(auth.options.secret, deviceOf(opened), token, query.get('from'))
}

const sessionIn = ({ auth, db, headers }: OpenedLink) => sessionOf(auth, db, headers)

/** An impersonated session is not the user's own. */
const isOwn = (session: CurrentSession | null, userId: string) => session?.user.id === userId && !session.impersonatedBy

async function rowOf(auth: Auth, identifier: string): Promise<string | null> {
  const row = await (await auth.$context).internalAdapter.findVerificationValue(identifier)
  return row && row.expiresAt > new Date() ? row.value : null
}

async function userByEmail(auth: Auth, email: string) {
  return (await auth.$context).internalAdapter.findUserByEmail(email, { includeAccounts: true })
}
