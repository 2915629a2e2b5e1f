import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pageApi } from '#contract/page.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aPage } from '#web/testing/samples.ts'
import { EnterStep } from './enter-step.tsx'

test('who has just signed out reads the same introduction as a visitor', async () => {
  const welcome = { text: 'Чат с лучшими моделями', offer: '3 000 символов в подарок', examples: [] }
  new FakeServer().on(pageApi.state, { ...aPage('anna'), user: null, welcome })
  render(<EnterStep mode="link" email="" onEmail={() => undefined} />)
  expect(await screen.findByText('Чат с лучшими моделями')).toBeTruthy()
  expect(screen.getByText('3 000 символов в подарок')).toBeTruthy()
})
