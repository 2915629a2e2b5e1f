import { screen } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { type Model, modelsApi, type UsualCost } from '#contract/models.ts'
import { type Settings, usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { Composer } from '../composer/composer.tsx'

export const plainModel = aModel()
export const seeingModel = aModel({ id: 'm2', name: 'Зрячая', vision: true })

type ComposerSetup = Partial<ComponentProps<typeof Composer>> & {
  balance?: number
  userId?: string
  /** When the person came: now, unless given. */
  createdAt?: string
  models?: Model[]
  usualCosts?: UsualCost[]
  /** The price of a search; no search without it. */
  searchPrice?: number
  settings?: Partial<Settings>
}

/** Renders the composer of a chat with the model «Умная» and collects what it sends. */
export function openComposer({
  balance = 10_000,
  createdAt = new Date().toISOString(),
  userId = newUserId(),
  models = [plainModel, seeingModel],
  usualCosts = [],
  searchPrice,
  settings = {},
  ...given
}: ComposerSetup = {}) {
  const profile = aProfile({ availableTokens: balance }, { id: userId, createdAt })
  const server = new FakeServer()
    .on(usersApi.me, { ...profile, Settings: { ...profile.Settings, ...settings } })
    .on(modelsApi.list, models)
    .on(modelsApi.usualCosts, usualCosts)
  const sent: Parameters<ComponentProps<typeof Composer>['onSend']>[0][] = []
  const sentAsIs: boolean[] = []
  const composer = (change: ComposerSetup = {}) => (
    <Composer
      threadId="t1"
      chosen={{ model: plainModel, name: plainModel.name }}
      history={[]}
      isAnswering={false}
      onStop={() => undefined}
      onChooseModel={() => undefined}
      onSend={(draft, asIs) => {
        sent.push(draft)
        sentAsIs.push(asIs)
      }}
      {...given}
      {...change}
    />
  )
  const config = searchPrice === undefined ? {} : { webSearch: { price: searchPrice } }
  const drawn = render(composer(), { userId, config })
  return {
    ...drawn,
    server,
    sent,
    sentAsIs,
    userId,
    change: (change: ComposerSetup) => drawn.rerender(composer(change)),
  }
}

export const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Сообщение' })
export const sendButton = () => screen.getByRole('button', { name: 'Отправить' })
export const canSend = () => sendButton().getAttribute('aria-disabled') === 'false'
