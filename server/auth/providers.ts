import type { BetterAuthOptions } from 'better-auth'
import { genericOAuth, yandex } from 'better-auth/plugins/generic-oauth'
import type { ProviderKeys, SocialProviderId } from './provider-ids.ts'

/** Who is signed in may link these to an account with the same address, though they do not say that they proved it. */
export const linkableProviders: SocialProviderId[] = ['vk', 'yandex']

type BuiltIn = NonNullable<BetterAuthOptions['socialProviders']>

/** The library has ten of the providers built in; Yandex comes through its general plugin. */
export function builtInProviders(providers: ProviderKeys[]): BuiltIn {
  const entries = providers.filter(({ id }) => id !== 'yandex').map(({ id, ...keys }) => [id, keys])
  return Object.fromEntries(entries) as BuiltIn
}

export function pluginProviders(providers: ProviderKeys[]) {
  const config = providers.filter(({ id }) => id === 'yandex').map(({ id: _, ...keys }) => yandex(keys))
  return genericOAuth({ config })
}
