import type { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { type SocialProviderId, socialProviders } from '#contract/social-providers.ts'
import type { ProviderKeys } from '#server/auth/provider-ids.ts'
import { type TestAppOptions, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import type { Visitor } from '#server/testing/visitor.ts'
import { type FakeProviders, startFakeProviders } from './fake-providers.ts'

export const allProviders: ProviderKeys[] = (Object.keys(socialProviders) as SocialProviderId[]).map((id) => ({
  id,
  clientId: `${id}-client`,
  clientSecret: `${id}-secret`,
}))

/** The app of a test file with all social providers, which are fake. */
export async function startSocialApp(options: TestAppOptions = {}) {
  const providers = await closeAfterTests(startFakeProviders())
  const app = await testApp({ ...options, auth: { providers: allProviders, ...options.auth } })
  return { app, providers }
}

export interface VkPerson {
  user_id: string
  email?: string
  first_name: string
  last_name: string
}

let people = 0
export const vkPerson = (email?: string): VkPerson => ({
  user_id: String(1_000_000 + ++people),
  first_name: 'Анна',
  last_name: 'Каренина',
  ...(email ? { email } : {}),
})

export function replyAsVk(providers: FakeProviders, user: VkPerson, tokens: Record<string, unknown> = {}) {
  providers.reply('id.vk.com/oauth2/auth', {
    access_token: `vk-access-${user.user_id}`,
    refresh_token: `vk-refresh-${user.user_id}`,
    expires_in: 3600,
    scope: 'email phone',
    ...tokens,
  })
  providers.reply('id.vk.com/oauth2/user_info', { user })
}

interface Start {
  provider: string
  callbackURL?: string
  errorCallbackURL?: string
  newUserCallbackURL?: string
}

type Departure = typeof authApi.signInSocial | typeof accountApi.linkSocial

export async function startAtProvider(
  visitor: Visitor,
  start: Start,
  by: Departure = authApi.signInSocial,
): Promise<URL> {
  const { url } = await visitor.call(by, { body: start })
  return new URL(url ?? '')
}

/** Returns from the provider with the query it would append; gives the callback's response. */
export function returnFromProvider(
  visitor: Visitor,
  provider: string,
  query: Record<string, string>,
): Promise<Response> {
  return visitor.fetch(`/api/auth/callback/${provider}?${new URLSearchParams(query)}`)
}

export async function throughProvider(visitor: Visitor, start: Start, by?: Departure): Promise<Response> {
  const url = await startAtProvider(visitor, start, by)
  return returnFromProvider(visitor, start.provider, {
    code: 'a-code',
    state: url.searchParams.get('state') ?? '',
    device_id: 'd1',
  })
}
