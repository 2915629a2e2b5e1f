import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { auditApi, type ChainState } from '#contract/audit.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { ChainStatus } from './chain-status.tsx'

const whole: ChainState = { count: 12, head: 'a'.repeat(64), broken: null }
const status = () => screen.getByRole('status').textContent
const press = (name: string) => screen.findByRole('button', { name })

test('the chain is checked only on request', async () => {
  const server = new FakeServer().on(auditApi.verify, whole)
  const { user } = render(<ChainStatus />)
  expect(server.calls(auditApi.verify)).toEqual([])
  await user.click(await press('Проверить цепочку'))
  await waitFor(() => expect(status()).toContain('Цепочка цела: 12 записей'))
})

test('a changed row is named, and another check can pass', async () => {
  const server = new FakeServer().on(auditApi.verify, { ...whole, broken: { id: 2, reason: 'content' } })
  const { user } = render(<ChainStatus />)
  await user.click(await press('Проверить цепочку'))
  await waitFor(() => expect(status()).toContain('Цепочка порвана на записи № 2: её содержание изменили'))
  server.on(auditApi.verify, whole)
  await user.click(await press('Проверить ещё раз'))
  await waitFor(() => expect(status()).toContain('Цепочка цела'))
})
