import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { billingApi, START_GIFT } from '#contract/billing.ts'
import { usersApi } from '#contract/users.ts'
import { usersAdminApi } from '#contract/users-admin.ts'
import { replyAsVk, startSocialApp, throughProvider, vkPerson } from '#server/auth/testing/social.ts'
import { follow, linkTo, newAddress, PASSWORD } from '#server/auth/testing/steps.ts'
import { giftRejections, identityHashes } from '#server/db/schema.ts'
import { memoryLimits, type SignedIn, startTestApp } from '#server/testing/app.ts'
import type { Visitor } from '#server/testing/visitor.ts'
import { giveStartGift } from './start-gift.ts'

const { app, providers } = await startSocialApp({
  settings: { giftDomains: { blocked: ['farm.test'], allowed: ['mailinator.com'] } },
})

const balance = async (person: Visitor) => {
  const { SingleSubscription, giftRejection } = await person.call(usersApi.me, {})
  return [SingleSubscription.availableTokens, giftRejection]
}
const GIVEN = [20_000, null]
const REPEATED = [0, 'repeated']

async function leaveForGood(person: SignedIn, email = person.user.email) {
  await person.call(accountApi.deleteUser, { body: {} })
  await person.fetch(linkTo(app, email, 'Удаление'))
}

test('a user who deletes the account and registers again gets no gift (S10.18)', async () => {
  const email = newAddress('again')
  const anna = await app.signIn(email)
  expect(await balance(anna)).toEqual(GIVEN)
  await leaveForGood(anna)
  expect(await balance(await app.signIn(email))).toEqual(REPEATED)
})

test('different spellings of a mailbox are the same person (S10.18)', async () => {
  expect(await balance(await app.signIn('farm@gmail.com'))).toEqual(GIVEN)
  for (const spelling of ['farm+1@gmail.com', 'f.arm@gmail.com', 'fa.rm+x@googlemail.com'])
    expect(await balance(await app.signIn(spelling))).toEqual(REPEATED)
})

test('every former address of a user counts as having the gift', async () => {
  const [old, fresh] = [newAddress('old'), newAddress('fresh')]
  const last = newAddress('last')
  const anna = await app.signIn(old)
  for (const [from, to] of [
    [old, fresh],
    [fresh, last],
  ] as const) {
    await anna.call(accountApi.changeEmail, { body: { newEmail: to, callbackURL: '/profile' } })
    await follow(anna, linkTo(app, from, 'Смена почты'))
    await follow(anna, linkTo(app, to, 'Подтвердите новую почту'))
  }
  for (const email of [old, fresh]) expect(await balance(await app.signIn(email))).toEqual(REPEATED)
  await leaveForGood(anna, last)
  expect(await balance(await app.signIn(last))).toEqual(REPEATED)
})

test('an unlinked provider account still means the same person', async () => {
  const anna = await app.signIn()
  const vk = vkPerson(anna.user.email)
  replyAsVk(providers, vk)
  await throughProvider(anna, { provider: 'vk', callbackURL: '/' }, accountApi.linkSocial)
  await anna.call(accountApi.createPassword, { body: { newPassword: PASSWORD } })
  await anna.call(accountApi.unlinkAccount, { body: { providerId: 'vk' } })
  await leaveForGood(anna)
  replyAsVk(providers, { ...vk, email: newAddress('vk') })
  const again = app.visitor()
  await throughProvider(again, { provider: 'vk', callbackURL: '/' })
  expect(await balance(again)).toEqual(REPEATED)
})

test('accounts of a person that sign in together get a single gift (S10.18)', async () => {
  const spellings = Array.from({ length: 6 }, (_, i) => `crowd+${i}@gmail.com`)
  const people = await Promise.all(spellings.map((email) => app.signIn(email)))
  const balances = await Promise.all(people.map(balance))
  expect(balances.filter(([symbols]) => symbols === 20_000)).toHaveLength(1)
  expect(balances.filter(([, reason]) => reason === 'repeated')).toHaveLength(5)
})

test('an account that signs in twice at once gets its gift', async () => {
  const email = newAddress('twice')
  const links: [Visitor, string][] = []
  for (const visitor of [app.visitor(), app.visitor()]) {
    await visitor.post('/api/auth/sign-in/magic-link', { email })
    const mail = app.outbox.findLast(({ to }) => to === email)
    links.push([visitor, mail?.text.match(/https?:\/\/\S+/)?.[0] ?? ''])
  }
  await Promise.all(links.map(([visitor, link]) => visitor.fetch(link)))
  expect(await balance(await app.signIn(email))).toEqual(GIVEN)
})

test('a disposable mailbox gets no gift unless a setting allows it', async () => {
  expect(await balance(await app.signIn('a@yopmail.com'))).toEqual([0, 'disposable'])
  expect(await balance(await app.signIn('a@deep.yopmail.com'))).toEqual([0, 'disposable'])
  expect(await balance(await app.signIn('a@deep.farm.test'))).toEqual([0, 'disposable'])
  expect(await balance(await app.signIn('a@mailinator.com'))).toEqual(GIVEN)
})

test('stored hashes of a person contain no personal data', async () => {
  const anna = await app.signIn(newAddress('secret'))
  const text = JSON.stringify(await app.db.select().from(identityHashes))
  expect(text).not.toContain(anna.user.id)
  expect(text).not.toContain('secret')
})

test('an admin sees rejected gifts with reasons and gives them by hand (S10.18)', async () => {
  const owner = await app.signIn('owner@example.test')
  const person = await app.signIn('by-hand@yopmail.com')
  const { id } = person.user
  const found = await owner.call(usersAdminApi.list, { query: { gift: 'refused', query: 'by-hand' } })
  expect(found.items.map((row) => row.id)).toEqual([id])
  const card = await owner.call(usersAdminApi.card, { params: { id } })
  expect(card.giftRejection).toMatchObject({ reason: 'disposable', symbols: 20_000 })
  for (let i = 0; i < 2; i++)
    await owner.call(billingApi.gift, {
      params: { id },
      body: { symbols: 20_000, reason: 'Проверили', key: START_GIFT },
    })
  expect(await balance(person)).toEqual(GIVEN)
  expect((await owner.call(usersAdminApi.list, { query: { gift: 'refused', query: 'by-hand' } })).items).toEqual([])
  expect(await balance(await app.signIn('by-hand@yopmail.com'))).toEqual(GIVEN)
  await leaveForGood(person)
  expect((await app.db.select().from(giftRejections).where(eq(giftRejections.userId, id))).length).toBe(0)
})

test('a network gets ten gifts a day, and rejected users another day', async () => {
  const limits = memoryLimits()
  const gift = {
    db: app.db,
    limits,
    identityKey: app.payments.identityKey,
    symbols: 500,
    domains: { blocked: [], allowed: [] },
  }
  const silent = await startTestApp({ database: app.database, startSymbols: 0 })
  const people = await Promise.all(Array.from({ length: 13 }, () => silent.signIn(newAddress('network'))))
  const ip = (i: number) => `2001:db8:1:2:${i}::1`
  for (const [i, { user }] of people.entries()) {
    await giveStartGift(gift, user.id, ip(i))
    // Signing in again is not counted.
    await giveStartGift(gift, user.id, ip(i))
  }
  const outcome = await Promise.all(people.map(balance))
  expect(outcome.filter(([symbols]) => symbols === 500)).toHaveLength(10)
  expect(outcome.filter(([, reason]) => reason === 'network')).toHaveLength(3)
  const [late] = people.slice(-1)
  await giveStartGift({ ...gift, limits: memoryLimits() }, late?.user.id ?? '', ip(1))
  expect(await balance(late as SignedIn)).toEqual([500, null])
  await silent.close()
})
