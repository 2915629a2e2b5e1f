import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type ScreenName, screens } from '#contract/screens.ts'
import { usersApi } from '#contract/users.ts'
import { blame, EMPTY, emptyAnswer, quiet, shows, teapots, working } from '#web/testing/teapot.ts'
import { openPage } from '#web/testing/whole-page.tsx'

const names = Object.keys(screens) as ScreenName[]

test.each(names)('%s says which of its readings failed (S8.1, S10.1401, S10.1406)', async (name) => {
  const { failed, answer } = teapots()
  const page = openPage(name, (endpoint) =>
    endpoint === usersApi.me || endpoint.method !== 'GET' ? working(endpoint) : answer(endpoint),
  )
  await page.settle()
  const hidden = failed.filter(({ call, text }) => !quiet[call] && !shows(text)).map(({ call }) => call)
  expect([hidden, blame()]).toEqual([[], undefined])
})

test.each(names)('%s says 502 for an empty answer (S8.2, S10.1401, S10.1406)', async (name) => {
  const page = openPage(name, (endpoint) =>
    endpoint === usersApi.me || endpoint.method !== 'GET' ? working(endpoint) : emptyAnswer(),
  )
  await page.settle()
  if (page.called.some((call) => call.startsWith('GET ') && !quiet[call]))
    await waitFor(() => expect(shows(EMPTY)).toBe(true))
  expect(blame()).toBeUndefined()
})
