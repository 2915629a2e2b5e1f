import { expect, test } from 'vitest'
import { users } from '#server/db/schema.ts'
import { startTestApp } from '#server/testing/app.ts'
import { adminsSoFar } from './auth/roles.ts'
import { adminsText } from './start-message.ts'

const first = { adminEmails: [], firstUserIsAdmin: true }
const empty = { emails: [], hasPeople: false }

test('the first visitor is promised the admin role only without users (S10.566)', () => {
  expect(adminsText(first, empty)).toContain('кто войдёт первым')
  expect(adminsText(first, { ...empty, hasPeople: true })).toContain('никто: задайте ADMIN_EMAILS')
  expect(adminsText({ ...first, firstUserIsAdmin: false }, empty)).toContain('никто: задайте ADMIN_EMAILS')
})

test('current admins and future admins of the settings are named (S10.566)', () => {
  const known = { emails: ['a@example.test'], hasPeople: true }
  expect(adminsText(first, known)).toBe('a@example.test')
  const named = { adminEmails: ['a@example.test', 'b@example.test'], firstUserIsAdmin: false }
  expect(adminsText(named, known)).toBe('a@example.test, кто войдёт по письму с адресом b@example.test')
})

test('people and admins are read from the database, also with demo data (S10.566)', async () => {
  const app = await startTestApp()
  const person = { name: 'Анна', emailVerified: true }
  expect(await adminsSoFar(app.db)).toEqual(empty)
  await app.db.insert(users).values({ ...person, id: 'unproved', email: 'unproved@example.test', emailVerified: false })
  expect(await adminsSoFar(app.db)).toEqual(empty)
  await app.db.insert(users).values({ ...person, id: 'anna', email: 'anna@example.test' })
  expect(await adminsSoFar(app.db)).toEqual({ emails: [], hasPeople: true })
  await app.db.insert(users).values({ ...person, id: 'boss', email: 'boss@example.test', role: 'user,admin' })
  expect(await adminsSoFar(app.db)).toEqual({ emails: ['boss@example.test'], hasPeople: true })
  await app.close()
})
