import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { usersApi } from '#contract/users.ts'
import { testApp } from '#server/testing/app.ts'

const app = await testApp()

test('the first sign-in creates profile, settings, model and starting gift (S1.25)', async () => {
  const anna = await app.signIn()
  const profile = await anna.call(usersApi.me, {})
  expect(profile).toMatchObject({
    id: anna.user.id,
    email: anna.user.email,
    role: 'user',
    emailVerified: true,
    Settings: { threadModel: 'demo', threadHistory: true, threadGptNameEnabled: true },
    SingleSubscription: { availableTokens: 20_000, active: true, recurrent: false },
  })
})

test('signing in again gives no second gift', async () => {
  const anna = await app.signIn('twice@example.test')
  await app.signIn('twice@example.test')
  expect((await anna.call(usersApi.me, {})).SingleSubscription.availableTokens).toBe(20_000)
})

test('a user changes the own name and settings (S1.17)', async () => {
  const anna = await app.signIn()
  const changed = await anna.call(usersApi.update, {
    params: { id: anna.user.id },
    body: { name: 'Анна', Settings: { threadHistory: false, threadHistoryLimit: 5 } },
  })
  expect(changed).toMatchObject({ name: 'Анна', Settings: { threadHistory: false, threadHistoryLimit: 5 } })
  expect(await anna.call(usersApi.me, {})).toEqual(changed)
})

test('another user’s profile is a 404, except for an admin', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const owner = await app.signIn('owner@example.test')
  const stranger = boris.call(usersApi.get, { params: { id: anna.user.id } })
  await expect(stranger).rejects.toMatchObject({ status: 404, code: 'not_found' })
  const touch = boris.call(usersApi.update, { params: { id: anna.user.id }, body: { name: 'Взлом' } })
  await expect(touch).rejects.toMatchObject({ status: 404 })
  expect(await owner.call(usersApi.get, { params: { id: anna.user.id } })).toMatchObject({ id: anna.user.id })
})

test('an invalid change names the field and changes nothing', async () => {
  const anna = await app.signIn()
  const before = await anna.call(usersApi.me, {})
  for (const [body, field] of [
    [{ name: '' }, 'name'],
    [{ name: 'я'.repeat(101) }, 'name'],
    [{ image: 'https://elsewhere.test/a.png' }, 'image'],
    [{ Settings: { threadHistoryLimit: 0 } }, 'Settings.threadHistoryLimit'],
    [{ role: 'admin' }, 'role'],
  ] as const) {
    const response = await anna.fetch(`/api/users/${anna.user.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ status: 400, code: 'bad_request', field })
  }
  expect(await anna.call(usersApi.me, {})).toEqual(before)
})

test('models are listed to a signed-in user', async () => {
  const anna = await app.signIn()
  const listed = await anna.call(modelsApi.list, {})
  expect(listed).toMatchObject([
    { id: 'demo', kind: 'text', hidden: false },
    { id: 'demo-image', kind: 'image', imagePrice: 2000, hidden: false },
    { id: 'demo-transcription', kind: 'transcription', minutePrice: 400, hidden: false },
  ])
})
