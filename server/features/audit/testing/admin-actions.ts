import { apiKeysAdminApi, apiKeysApi } from '#contract/api-keys.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { billingApi } from '#contract/billing.ts'
import { disputesApi } from '#contract/disputes.ts'
import type { Args, Endpoint } from '#contract/endpoint.ts'
import { legalAdminApi } from '#contract/legal.ts'
import { modelsApi } from '#contract/models.ts'
import { modelsAdminApi } from '#contract/models-admin.ts'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { promocodesApi } from '#contract/promocodes.ts'
import { promptsApi } from '#contract/prompts.ts'
import { promptsAdminApi } from '#contract/prompts-admin.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { usersApi } from '#contract/users.ts'
import { users } from '#server/db/schema.ts'
import { spend } from '#server/features/billing/ledger.ts'
import type { PaidApp } from '#server/features/payments/testing/paid-app.ts'
import { newId } from '#server/lib/ids.ts'
import type { SignedIn } from '#server/testing/app.ts'

/** An example of an admin's call: prepares the data, returns the request, and names the expected actions. */
export interface Example {
  endpoint: Endpoint
  actions: string[]
  args: (app: PaidApp) => unknown
}

type ArgsOf<E extends Endpoint> = Args<E> | Promise<Args<E>>

function example<E extends Endpoint>(endpoint: E, action: string, args: (app: PaidApp) => ArgsOf<E>): Example {
  return { endpoint, actions: [action], args }
}

const idOf = async (made: Promise<{ id: string }>) => ({ params: { id: (await made).id } })
async function aTarget({ db }: PaidApp) {
  const userId = newId()
  await db.insert(users).values({ id: userId, email: `${userId}@example.test`, name: 'Анна', emailVerified: true })
  return { userId }
}
const targetId = async (app: PaidApp) => ({ id: (await aTarget(app)).userId })
const newUser = () => ({ email: `${newId()}@example.test`, name: 'Новый', password: 'a long password 1' })
const model = () => ({ id: `m-${newId()}`, name: 'Модель', provider: 'demo', providerModel: 'demo' })
const code = () => ({ code: `CODE-${newId()}`, symbols: 10 })
const prompt = { title: 'Письмо', description: '', content: 'Напиши письмо', category: 'Работа', published: true }
const aModel = ({ owner }: PaidApp) => owner.call(modelsAdminApi.create, { body: model() })
const aCode = ({ owner }: PaidApp) => owner.call(promocodesApi.create, { body: code() })
const aPrompt = ({ owner }: PaidApp) => owner.call(promptsApi.create, { body: prompt })

async function paidOrder(app: PaidApp) {
  const buyer = await app.signIn()
  await app.buyBundle(buyer, (await app.aBundle()).id)
  const [order] = await app.ordersOf(buyer)
  return { params: { id: order?.id ?? '' } }
}

async function unpaidOrder(app: PaidApp) {
  const buyer = await app.signIn()
  const query = { bundleId: (await app.aBundle()).id }
  await buyer.call(paymentsApi.bundleUrl, { query })
  const [order] = await app.ordersOf(buyer)
  return order?.id ?? ''
}

async function strayPayment(app: PaidApp) {
  const money = { amount: 350, currency: 'BYN', paid_at: new Date().toISOString() }
  await app.notify({ transaction: { uid: newId(), type: 'payment', status: 'successful', ...money } })
  const { items } = await app.owner.call(paymentEventsApi.table, { query: { size: 1 } })
  return { params: { id: items[0]?.id ?? '' } }
}

export async function aDispute(app: Pick<PaidApp, 'db' | 'owner'>, anna: SignedIn, symbols = 100) {
  const gift = { params: { id: anna.user.id }, body: { symbols: symbols * 10, reason: 'Для начала' } }
  await app.owner.call(billingApi.gift, gift)
  await spend(app.db, { key: newId(), userId: anna.user.id, kind: 'translate', symbols, input: symbols, output: 0 })
  const [entry] = await anna.call(transactionsApi.list, { query: { limit: 1 } })
  const params = { id: entry?.id ?? '' }
  await anna.call(transactionsApi.dispute, { params, body: { reason: 'Перевод не пришёл' } })
  const { items } = await app.owner.call(disputesApi.list, { query: { status: 'open', sort: '-createdAt', size: 1 } })
  return { entryId: params.id, id: items[0]?.id ?? '' }
}
const openDispute = async (app: PaidApp) => ({ params: { id: (await aDispute(app, await app.signIn())).id } })

/** A new call needs a line here or in one of the lists below. */
export const examples: Example[] = [
  example(plansApi.create, 'plan.create', () => ({ body: { name: 'Т', symbols: 1, price: 1, currency: 'BYN' } })),
  example(plansApi.update, 'plan.change', async (w) => ({ ...(await idOf(w.aPlan())), body: { price: 1290 } })),
  example(plansApi.reorder, 'plan.order', async (w) => ({ body: { ids: await idsOf(w, plansApi.list) } })),
  example(bundlesApi.create, 'bundle.create', () => ({ body: { name: 'П', symbols: 1, price: 1, currency: 'BYN' } })),
  example(bundlesApi.update, 'bundle.change', async (w) => ({ ...(await idOf(w.aBundle())), body: { price: 400 } })),
  example(bundlesApi.reorder, 'bundle.order', async (w) => ({ body: { ids: await idsOf(w, bundlesApi.list) } })),
  example(bundlesApi.delete, 'bundle.delete', (w) => idOf(w.aBundle())),
  example(modelsAdminApi.create, 'model.create', () => ({ body: model() })),
  example(modelsAdminApi.update, 'model.change', async (w) => ({ ...(await idOf(aModel(w))), body: { hidden: true } })),
  example(modelsAdminApi.reorder, 'model.order', async (w) => ({ body: { ids: await idsOf(w, modelsApi.list) } })),
  example(modelsAdminApi.delete, 'model.delete', (w) => idOf(aModel(w))),
  example(modelsAdminApi.check, 'model.check', () => ({ params: { name: 'demo' }, body: { providerModel: 'demo' } })),
  example(promocodesApi.create, 'promo.create', () => ({ body: code() })),
  example(promocodesApi.createBatch, 'promo.batch', () => ({ body: { count: 3, prefix: 'X', symbols: 5 } })),
  example(promocodesApi.createBatchCsv, 'promo.batch', () => ({ body: { count: 3, prefix: 'Y', symbols: 5 } })),
  example(promocodesApi.update, 'promo.change', async (w) => ({ ...(await idOf(aCode(w))), body: { symbols: 20 } })),
  example(promocodesApi.setActive, 'promo.off', async (w) => ({ body: { ids: [(await aCode(w)).id], active: false } })),
  example(promocodesApi.delete, 'promo.delete', (w) => idOf(aCode(w))),
  example(billingApi.gift, 'user.gift', async (w) => ({
    params: await targetId(w),
    body: { symbols: 5, reason: 'За терпение' },
  })),
  example(paymentsApi.check, 'order.check', paidOrder),
  example(paymentsApi.refund, 'order.refund', async (w) => ({ ...(await paidOrder(w)), body: { reason: 'Просьба' } })),
  example(paymentEventsApi.retry, 'payment_event.retry', strayPayment),
  example(paymentEventsApi.attach, 'payment_event.attach', async (w) => ({
    ...(await strayPayment(w)),
    body: { orderId: await unpaidOrder(w) },
  })),
  example(paymentEventsApi.resolve, 'payment_event.resolve', async (w) => ({
    ...(await strayPayment(w)),
    body: { note: 'Вернули' },
  })),
  example(paymentEventsApi.reopen, 'payment_event.reopen', strayPayment),
  example(disputesApi.giveBack, 'dispute.return', async (w) => ({ ...(await openDispute(w)), body: { symbols: 40 } })),
  example(disputesApi.refuse, 'dispute.refuse', async (w) => ({
    ...(await openDispute(w)),
    body: { answer: 'Верно' },
  })),
  example(legalAdminApi.publish, 'document.publish', () => ({
    // A document that needs no consent, so that the other examples are not rejected.
    params: { kind: 'privacy' },
    body: { text: 'Что хранится и зачем', asksConsent: false, base: 0 },
  })),
  example(apiKeysAdminApi.setAccess, 'keys.off', () => ({ body: { isOn: false } })),
  example(apiKeysAdminApi.end, 'user.end_key', async (w) => {
    const person = await w.signIn()
    await w.owner.call(apiKeysAdminApi.setAccess, { body: { isOn: true } })
    const { key } = await person.call(apiKeysApi.create, { body: { name: 'n8n' } })
    return { params: { id: person.user.id, keyId: key.id } }
  }),
  example(ordersAdminApi.cancelRenewal, 'user.cancel_renewal', async (w) => {
    const person = await w.signIn()
    await w.subscribe(person, (await w.aPlan()).id)
    return { params: { id: person.user.id } }
  }),
  example(authAdminApi.createUser, 'user.create', () => ({ body: newUser() })),
  example(authAdminApi.updateUser, 'user.change', async (w) => ({
    body: { ...(await aTarget(w)), data: { name: 'Иначе' } },
  })),
  example(authAdminApi.setRole, 'user.role', async (w) => ({
    body: { ...(await aTarget(w)), role: 'admin' as const },
  })),
  example(authAdminApi.setUserPassword, 'user.password', async (w) => ({
    body: { ...(await aTarget(w)), newPassword: 'another long password 2' },
  })),
  example(authAdminApi.resetSecondFactor, 'user.factor_reset', async (w) => ({ body: await aTarget(w) })),
  example(authAdminApi.banUser, 'user.ban', async (w) => ({ body: { ...(await aTarget(w)), banReason: 'Спам' } })),
  example(authAdminApi.unbanUser, 'user.unban', async (w) => ({ body: await aTarget(w) })),
  example(authAdminApi.removeUser, 'user.delete', async (w) => ({ body: await aTarget(w) })),
  example(authAdminApi.revokeUserSession, 'user.end_session', async (w) => {
    const { sessions } = await w.owner.call(authAdminApi.listUserSessions, {
      body: { userId: (await w.signIn()).user.id },
    })
    return { body: { sessionToken: sessions[0]?.token ?? '' } }
  }),
  example(authAdminApi.revokeUserSessions, 'user.end_sessions', async (w) => ({ body: await aTarget(w) })),
]

/** Calls of all users that are audited when an admin makes them for another user or for the library. */
export const sharedExamples: Example[] = [
  example(usersApi.update, 'user.change', async (w) => ({
    params: { id: (await w.signIn()).user.id },
    body: { name: 'Иначе' },
  })),
  example(billingApi.applyPromocode, 'promo.apply', async (w) => ({
    params: await targetId(w),
    body: { code: (await aCode(w)).code },
  })),
  example(promptsApi.create, 'prompt.create', () => ({ body: prompt })),
  example(promptsApi.update, 'prompt.change', async (w) => ({ ...(await idOf(aPrompt(w))), body: { title: 'Иначе' } })),
  example(promptsApi.delete, 'prompt.delete', (w) => idOf(aPrompt(w))),
  example(promptsAdminApi.bulk, 'prompt.unpublish', async (w) => ({
    body: { action: 'unpublish' as const, ids: [(await aPrompt(w)).id] },
  })),
  example(promptsAdminApi.move, 'prompt.move', async (w) => {
    const [one, two] = [await aPrompt(w), await aPrompt(w)]
    return { params: { id: one.id }, body: { anchorId: two.id, side: 'before' as const } }
  }),
  example(promptsAdminApi.import, 'prompt.import', async (w) => {
    const text = JSON.stringify([{ title: `Новый ${newId()}`, content: 'Текст', category: 'Работа' }])
    const file = { format: 'json' as const, text }
    const { hash } = await w.owner.call(promptsAdminApi.preview, { body: file })
    return { body: { ...file, hash } }
  }),
]

/** Admin calls that write nothing although they are not GET, or that have their own test. */
export const exceptions: Record<string, string> = {
  'POST /api/auth/admin/list-user-sessions': 'only reads',
  'POST /api/payment-gateways/:name/check': 'only reads',
  'POST /api/receipts/:id/repeat': 'only ЮKassa has receipts: tested with it',
  'POST /api/auth/admin/impersonate-user': 'changes whose session it is: a test of its own, with the way back',
}

async function idsOf(app: PaidApp, list: typeof plansApi.list | typeof bundlesApi.list | typeof modelsApi.list) {
  if (list === plansApi.list) await app.aPlan()
  if (list === bundlesApi.list) await app.aBundle()
  const rows: { id: string }[] = await app.owner.call(list as typeof plansApi.list, {})
  return rows.map(({ id }) => id).reverse()
}
