import { type SocialProviderId, socialProviders } from '#contract/social-providers.ts'

export const providerIds = Object.keys(socialProviders) as SocialProviderId[]

export interface ProviderKeys {
  id: SocialProviderId
  clientId: string
  clientSecret: string
  /** Only PayPal has one. */
  environment?: 'sandbox' | 'live'
}

/** Reads `<PROVIDER>_CLIENT_ID` and `<PROVIDER>_CLIENT_SECRET`; one without the other is reported. */
export function readProviders(env: NodeJS.ProcessEnv): { configured: ProviderKeys[]; problems: string[] } {
  const configured: ProviderKeys[] = []
  const problems: string[] = []
  for (const id of providerIds) {
    const prefix = id.toUpperCase()
    const clientId = env[`${prefix}_CLIENT_ID`]
    const clientSecret = env[`${prefix}_CLIENT_SECRET`]
    if (clientId && clientSecret) configured.push({ id, clientId, clientSecret })
    else if (clientId) problems.push(`${prefix}_CLIENT_SECRET: задан только ${prefix}_CLIENT_ID, нужны оба`)
    else if (clientSecret) problems.push(`${prefix}_CLIENT_ID: задан только ${prefix}_CLIENT_SECRET, нужны оба`)
  }
  return { configured, problems }
}
