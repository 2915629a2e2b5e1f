import { webcrypto } from 'node:crypto'
import { expect, test } from 'vitest'
import { authAdminApi } from '#contract/auth-admin.ts'
import { usersApi } from '#contract/users.ts'
import { testApp } from '#server/testing/app.ts'

const app = await testApp()

test('each user always gets the same own key pair (S10.587)', async () => {
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  const key = await anna.call(usersApi.wordsKey, {})
  expect(await anna.call(usersApi.wordsKey, {})).toEqual(key)
  expect((await boris.call(usersApi.wordsKey, {})).d).not.toBe(key.d)
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  await webcrypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', ...key }, curve, false, ['deriveBits'])
})

test('strangers and impersonated sessions get no key (S10.587)', async () => {
  expect((await app.visitor().fetch(usersApi.wordsKey.path)).status).toBe(401)
  const admin = await app.signIn('owner@example.test')
  const anna = await app.signIn()
  await admin.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
  expect((await admin.fetch(usersApi.wordsKey.path)).status).toBe(403)
})
