import { type ProviderKeys, profiles } from './profile.ts'

/** Where the data of requests goes, by addresses that are known beside the profiles of kinds. */
const usual: Record<string, string> = { 'api.openai.com': 'US' }

const CODE = /^[A-Z]{2}$/

interface Read {
  configured: ProviderKeys[]
  problems: string[]
}

/** Adds the countries: `OPENAI_COUNTRY`, `PROVIDER_<NAME>_COUNTRY`, else what is known of the kind and the address. */
export function withCountries(env: NodeJS.ProcessEnv, { configured, problems }: Read): Read {
  const wrong: string[] = []
  const located = configured.map((provider) => {
    const setting = `${provider.name === 'openai' ? 'OPENAI' : `PROVIDER_${provider.name.toUpperCase()}`}_COUNTRY`
    const set = env[setting]?.trim().toUpperCase()
    if (set && !CODE.test(set)) wrong.push(`${setting}: нужны две латинские буквы страны, например RU`)
    const known = profiles[provider.kind ?? 'openai'].country ?? usual[new URL(provider.baseUrl).hostname] ?? null
    return { ...provider, country: set || known }
  })
  return { configured: located, problems: [...problems, ...wrong] }
}
