import { expect, test } from 'vitest'
import { importsApi, MAX_IMPORT_BYTES } from '#contract/imports.ts'
import { memoryLimits, testApp } from '#server/testing/app.ts'

const app = await testApp({ deps: { limits: memoryLimits() } })

test('refused imports are not among the ten of a day (S10.1608)', async () => {
  const boris = await app.signIn()
  const begin = (count = 1, bytes = 10) =>
    boris.call(importsApi.begin, {
      body: { files: Array.from({ length: count }, (_, i) => ({ name: `${i}.zip`, bytes })) },
    })
  await begin()
  await begin()
  for (let i = 0; i < 10; i += 1) {
    await expect(begin()).rejects.toMatchObject({ status: 409 })
    await expect(begin(21)).rejects.toMatchObject({ status: 400 })
    await expect(begin(2, MAX_IMPORT_BYTES)).rejects.toMatchObject({ status: 413 })
  }
  for (let i = 0; i < 8; i += 1) {
    const [last] = await boris.call(importsApi.list, {})
    await boris.call(importsApi.delete, { params: { id: last?.id ?? '' } })
    await begin()
  }
  const [last] = await boris.call(importsApi.list, {})
  await boris.call(importsApi.delete, { params: { id: last?.id ?? '' } })
  await expect(begin()).rejects.toMatchObject({ status: 429 })
})
