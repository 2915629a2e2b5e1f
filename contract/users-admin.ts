import * as z from 'zod/mini'
import { Grant, Money, SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'
import { TableQuery, tableOf } from './paging.ts'
import { Order } from './payments.ts'
import { Role } from './role.ts'
import { Transaction } from './transactions.ts'
import { GiftRejection } from './users.ts'

/** What admins see of users: never their texts or titles. */

const Moment = z.iso.datetime()
const Plan = z.object({ id: z.string(), name: z.string() })
const person = {
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: knownOr(Role, 'user'),
  /** False after the end of a temporary ban. */
  banned: z.boolean(),
  createdAt: Moment,
  /** With the precision of an hour. */
  lastSeenAt: Moment,
}

export const UserRow = z.object({
  ...person,
  plan: z.nullable(Plan),
  balance: z.int(),
  /** Symbols spent in the last 30 days. */
  spent: z.int(),
})
export type UserRow = z.infer<typeof UserRow>

const wholeNumber = (min: number, max: number) => z.coerce.number().check(z.int(), z.minimum(min), z.maximum(max))
const Symbols = z.optional(wholeNumber(0, 1_000_000_000_000))
const Days = z.optional(wholeNumber(1, 3650))

export const UserQuery = z.extend(TableQuery, {
  role: z.optional(Role),
  banned: z.optional(z.enum(['true', 'false'])),
  /** `any`, `none` or the id of a plan. */
  plan: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  /** Users whose start symbols were withheld. */
  gift: z.optional(z.literal('refused')),
  balanceFrom: Symbols,
  balanceTo: Symbols,
  /** Last seen within so many days, or not seen for so many. */
  activeDays: Days,
  idleDays: Days,
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
})
export type UserQuery = z.infer<typeof UserQuery>
export const userSorts = ['createdAt', 'lastSeenAt', 'email', 'name', 'balance'] as const

const CardSubscription = z.object({
  id: z.string(),
  plan: Plan,
  price: Money,
  /** As the gateway sent it. */
  state: z.string(),
  activeTo: z.nullable(Moment),
  renewAt: z.nullable(Moment),
  cancelRequestedAt: z.nullable(Moment),
  createdAt: Moment,
})
const CardConsent = z.object({
  id: z.string(),
  plan: z.string(),
  textVersion: z.string(),
  ip: z.string(),
  createdAt: Moment,
})

export const UserCard = z.object({
  ...person,
  image: z.nullable(z.string()),
  emailVerified: z.boolean(),
  banReason: z.nullable(z.string()),
  banExpires: z.nullable(Moment),
  /** The sign-in methods besides email links. */
  providers: z.array(z.object({ providerId: z.string(), createdAt: Moment })),
  SingleSubscription,
  /** Withheld start symbols, until an admin grants them. */
  giftRejection: z.nullable(
    z.object({ reason: knownOr(GiftRejection, 'network'), symbols: z.int(), createdAt: Moment }),
  ),
  grants: z.array(Grant),
  spent: z.object({ month: z.int(), total: z.int() }),
  /** The latest ones, newest first, as in all lists here. */
  operations: z.array(Transaction),
  orders: z.array(Order),
  subscriptions: z.array(CardSubscription),
  consents: z.array(CardConsent),
  counts: z.object({
    threads: z.int(),
    messages: z.int(),
    files: z.int(),
    fileBytes: z.int(),
    images: z.int(),
    imageBytes: z.int(),
    recordings: z.int(),
    recordingBytes: z.int(),
    assistants: z.int(),
    prompts: z.int(),
    disputes: z.int(),
    openDisputes: z.int(),
  }),
})
export type UserCard = z.infer<typeof UserCard>

export const usersAdminApi = {
  list: endpoint('GET', '/api/users', {
    who: 'admin',
    summary: 'Пользователи; ищет по почте, имени и номеру',
    query: UserQuery,
    returns: tableOf(UserRow),
  }),
  csv: endpoint('GET', '/api/users/csv', {
    who: 'admin',
    summary: 'Пользователи отбора файлом CSV',
    proof: 'fresh',
    query: UserQuery,
    answers: 'file',
  }),
  card: endpoint('GET', '/api/users/:id/card', {
    who: 'admin',
    summary: 'Всё о пользователе, кроме его текстов: баланс, операции, платежи, согласия, сколько чего у него есть',
    returns: UserCard,
  }),
}
