import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { modelsQuery } from '#web/features/models/queries.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { seedQueryCache } from './first-data.ts'

test('data from the page answers the first queries without a request (S10.401)', async () => {
  const client = new QueryClient()
  const first = { profile: aProfile(), models: [aModel()], threads: { items: [], nextCursor: 'next' } }
  seedQueryCache(client, first, Date.now())
  expect(await client.ensureQueryData(profileQuery)).toEqual(first.profile)
  expect(new QueryObserver(client, modelsQuery).getCurrentResult()).toMatchObject({
    data: first.models,
    isStale: false,
  })
  const threads = await client.fetchInfiniteQuery(threadsQuery('active'))
  expect(threads).toEqual({ pages: [first.threads], pageParams: [null] })
})

test('data that did not come with the page is requested', () => {
  const client = new QueryClient()
  seedQueryCache(client, {}, Date.now())
  expect(client.getQueryCache().getAll()).toEqual([])
})
